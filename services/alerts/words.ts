import { isOfDown } from "../../shared/alerts/fingerprint.ts";
import { timeInWords } from "../../shared/alerts/time-in-words.ts";
import { count, percent } from "../../shared/report/words.ts";
import type { AlertMessage } from "./message.ts";

type NamedRegression = AlertMessage["regressions"][number];

/** What happened where and how much, in one line. */
export function headline(message: AlertMessage): string {
  const { kind, monitor, count: many, regressions, about, down } = message;
  const [worst] = regressions;
  if (kind === "test") return `Test alert of ${monitor.name}`;
  if (kind === "down") return `${monitor.name}${downPages(down)}`;
  if (kind === "recovered")
    return isOfDown(about) ? `${monitor.name} is up again` : `${monitor.name} looks right again`;
  if (kind === "replaced" || worst === undefined) return `${monitor.name} looks different`;
  const others = many > 1 ? ` and ${many - 1} more` : "";
  return `${monitor.name}: ${pageOf(worst)} differs by ${percent(worst.diffRatio)}${others}`;
}

/** What it means, in a sentence or two. */
export function explanation({ kind, count: many, reason, since, at }: AlertMessage): string {
  const checked = `Checked ${timeInWords(at)}.`;
  if (kind === "test")
    return "This is what an alert looks like. Nothing is wrong: somebody asked for a sample.";
  const differ = `${count(many, "page")} ${many === 1 ? "looks" : "look"} different from the approved baseline, seen twice in a row.`;
  if (kind === "down") {
    const beside = many === 0 ? "" : ` Besides, ${differ}`;
    return `${reason ?? "It does not answer."} It was tried twice.${beside} ${checked}`;
  }
  if (kind === "recovered") {
    const lasted = since === null ? "" : ` It had been wrong since ${timeInWords(since)}.`;
    return `The last check found nothing wrong.${lasted} ${checked}`;
  }
  if (kind === "replaced") return "Something else is wrong now; there is a new alert for it.";
  return `${differ} ${checked}`;
}

/** ` is down`, or `: /cart and 2 more are down` where other pages answer. */
function downPages(down: AlertMessage["down"]): string {
  const [first] = down?.routes ?? [];
  if (!down || down.isWhole || first === undefined) return " is down";
  return down.count === 1 ? `: ${first} is down` : `: ${first} and ${down.count - 1} more are down`;
}

/** `/pricing at 1440 px`. */
export function pageOf({ route, viewport }: NamedRegression): string {
  return `${route} at ${viewport} px`;
}

export { percent, timeInWords };
