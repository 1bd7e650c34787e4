import { timeInWords } from "../../shared/alerts/time-in-words.ts";
import { count, limitInWords, percent } from "../../shared/report/words.ts";
import type { Alert } from "./alert.ts";

/** What happened where and how much, in one line. */
export function headline({ kind, regressions, down, recovered }: Alert): string {
  const [worst] = regressions;
  const [first] = down;
  if (kind === "recovered")
    return `${named(recovered)} ${recovered.length === 1 ? "is" : "are"} as before again`;
  if (first) return `${named(down.map(({ url }) => url))} ${down.length === 1 ? "is" : "are"} down`;
  if (!worst) return "Pages look different";
  const others = regressions.length > 1 ? ` and ${regressions.length - 1} more` : "";
  return `${worst.url} at ${worst.viewport} px differs by ${percent(worst.diffRatio)}${others}`;
}

/** What it means, in a sentence or two. */
export function explanation({ kind, regressions, since, at }: Alert, threshold: number): string {
  const looked = `Looked at ${timeInWords(at)}.`;
  if (kind === "recovered")
    return `Nothing is wrong any more.${since === null ? "" : ` It had been wrong since ${timeInWords(since)}.`} ${looked}`;
  const changed =
    regressions.length === 0
      ? ""
      : `${count(regressions.length, "screenshot")} ${regressions.length === 1 ? "differs" : "differ"} from the baseline by more than ${limitInWords(threshold)}. `;
  return `${changed}${looked}`;
}

function named(urls: string[]): string {
  return urls.length > 1 ? `${urls[0]} and ${urls.length - 1} more` : (urls[0] ?? "");
}
