import type { CheckView } from "../../shared/contracts/monitors.ts";
import { count, percent } from "../../shared/report/words.ts";

/** What a check found, in a line: the worst page at first. */
export function foundInWords({
  error,
  drift,
  outcome,
}: Pick<CheckView, "error" | "drift" | "outcome">): string {
  if (outcome === null) return "Under way";
  if (error !== null) return error;
  const [worst] = drift.toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
  if (!worst) return "Nothing was compared.";
  const changed = drift.filter(({ state }) => state === "changed").length;
  if (changed > 0) {
    const others = changed > 1 ? ` and ${changed - 1} more` : "";
    return `${worst.route} at ${worst.viewport} px differs by ${percent(worst.ratio ?? 0)}${others}`;
  }
  const minor = drift.filter(page => page.minor).length;
  const same = `${count(drift.length - minor, "page")} ${outcome === "established" ? "looked at" : "as approved"}`;
  if (minor === 0) return same;
  const changes = `${count(minor, "minor change")}, ${percent(worst.ratio ?? 0)}${minor > 1 ? " at most" : ""}`;
  return minor < drift.length ? `${same}, ${changes}` : changes;
}
