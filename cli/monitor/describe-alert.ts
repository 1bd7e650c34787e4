import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { timeInWords } from "../../shared/text/dates.ts";
import { percent } from "../../shared/text/format.ts";
import { ALERT_TEXTS } from "../texts/monitor.ts";
import type { Alert } from "./plan-alert.ts";

/** Returns what happened, where, and how much, in one line. */
export function headline({ kind, regressions, down, recovered }: Alert): string {
  const [worst] = regressions;
  if (kind === "recovered") return ALERT_TEXTS.recovered(recovered);
  if (down.length > 0) return ALERT_TEXTS.down(down.map(({ url }) => url));
  if (!worst) return ALERT_TEXTS.pagesChanged;
  const page = pageName({ ...worst, route: worst.url });
  return ALERT_TEXTS.changed(page, worst.viewport, percent(worst.diffRatio), regressions.length - 1);
}

/** Returns the details, in a sentence or two. */
export function explanation({ kind, regressions, since, at }: Alert, threshold: number): string {
  const checked = ALERT_TEXTS.checkedAt(timeInWords(at));
  if (kind === "recovered")
    return `${ALERT_TEXTS.recoveredSince(since === null ? null : timeInWords(since))} ${checked}`;
  if (regressions.length === 0) return checked;
  return `${ALERT_TEXTS.screenshotsChanged(regressions.length, threshold)} ${checked}`;
}
