import { percent } from "../../../shared/text/format.ts";
import { commonTexts } from "../../texts/common.ts";

/** Returns how much differs, for narrow columns: `1.8%`, or `18 faint` for pixels with a slightly different color. */
export function shortDifference(ratio: number, faintPixels = 0): string {
  return ratio === 0 && faintPixels > 0 ? commonTexts.faint(faintPixels) : percent(ratio);
}
