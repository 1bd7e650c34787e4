import { cut } from "../../shared/alerts/cut.ts";
import { timeInWords } from "../../shared/alerts/time-in-words.ts";
import { count, percent } from "../../shared/report/words.ts";
import type { AlertMessage } from "./message.ts";

type NamedRegression = AlertMessage["regressions"][number];

/** What happened where and how much, in one line. */
export function headline(message: AlertMessage): string {
  const { kind, monitor, count: many, regressions, about } = message;
  const [worst] = regressions;
  if (kind === "test") return `Test alert of ${monitor.name}`;
  if (kind === "down") return `${monitor.name} is down`;
  if (kind === "recovered")
    return about === "down" ? `${monitor.name} is up again` : `${monitor.name} looks right again`;
  if (kind === "replaced" || worst === undefined) return `${monitor.name} looks different`;
  const others = many > 1 ? ` and ${many - 1} more` : "";
  return `${monitor.name}: ${pageOf(worst)} differs by ${percent(worst.diffRatio)}${others}`;
}

/** What it means, in a sentence or two. */
export function explanation({ kind, count: many, reason, since, at }: AlertMessage): string {
  const checked = `Checked ${timeInWords(at)}.`;
  if (kind === "test")
    return "This is what an alert looks like. Nothing is wrong: somebody asked for a sample.";
  if (kind === "down") return `${reason ?? "It does not answer."} It was tried twice. ${checked}`;
  if (kind === "recovered") {
    const lasted = since === null ? "" : ` It had been wrong since ${timeInWords(since)}.`;
    return `The last check found nothing wrong.${lasted} ${checked}`;
  }
  if (kind === "replaced") return "Something else is wrong now; there is a new alert for it.";
  return `${count(many, "page")} ${many === 1 ? "looks" : "look"} different from the approved baseline, seen twice in a row. ${checked}`;
}

/** `/pricing at 1440 px`. */
export function pageOf({ route, viewport }: NamedRegression): string {
  return `${route} at ${viewport} px`;
}

export { cut, percent, timeInWords };
