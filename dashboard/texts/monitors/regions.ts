import type { CheckSummary, RegionSummary } from "../../../shared/contracts/monitors/checks.ts";
import { listed } from "../../../shared/text/format.ts";
import { number, plural } from "../format.ts";

const outcomes: Record<RegionSummary["outcome"], string> = {
  ok: "sees no problem",
  failing: "sees a problem",
  no_node: "captured nothing",
};

/** Texts about the regions from which a monitor's pages are captured. */
export const regionTexts = {
  title: "Regions",
  byRegion: "Last check by region",
  none: "No check from these regions has ended yet.",
  outcomes,
  about: (regions: readonly string[], agree: number) =>
    `Pages are captured from ${listed(regions)}. ${agree === 1 ? "One region that sees a problem is enough to alert." : `The monitor alerts if ${number(agree)} of ${plural(regions.length, "region")} see the same page change or fail.`}`,
  found: ({ changed, down, failed }: RegionSummary) =>
    [
      { count: changed, word: "changed" },
      { count: down, word: "down" },
      { count: failed, word: "not captured" },
    ]
      .filter(({ count }) => count > 0)
      .map(({ count, word }) => `${plural(count, "screenshot")} ${word}`)
      .join(", "),
} as const;

/** Describes the regions of a check that saw a problem or nothing. Empty if all agree that there is none. */
export function regionsText({ regions, agree }: Pick<CheckSummary, "regions" | "agree">): string {
  const named = (outcome: RegionSummary["outcome"]) =>
    regions.filter(each => each.outcome === outcome).map(({ region }) => region);
  const [failing, away] = [named("failing"), named("no_node")];
  return [
    failing.length > 0 &&
      `Problems seen from ${listed(failing)}. ${plural(agree, "region")} of ${number(regions.length)} must agree on a page.`,
    away.length > 0 && `Nothing captured from ${listed(away)}.`,
  ]
    .filter(sentence => sentence !== false)
    .join(" ");
}
