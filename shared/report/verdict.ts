import { isEnded } from "../is-ended.ts";
import type { ReportModel } from "./report-model.ts";
import { sizeOf, type Tally, tallyOf } from "./tally.ts";
import { count, figure, type Standing, unchangedInWords } from "./words.ts";

/** What a run came to, in words. */
export interface Verdict {
  /** The status whose icon and colour stand beside it. */
  standing: Standing;
  title: string;
  detail: string;
}

type RunOfVerdict = Pick<ReportModel["run"], "kind" | "status" | "error">;

/** What the run came to, said as a person would. */
export function verdictOf({ run, screenshots }: ReportModel): Verdict {
  return verdictFrom(run, tallyOf(screenshots));
}

/** The same of screenshots that are counted and need not be there. */
export function verdictFrom(run: RunOfVerdict, tally: Tally): Verdict {
  if (!isEnded(run.status)) return progressOf(run, tally);
  if (run.status === "failed") {
    return { standing: "failed", title: "The run failed", detail: run.error ?? "Nothing could be rendered." };
  }
  if (run.status === "canceled") {
    const detail = run.error ?? "What had been rendered by then is below; it decides nothing.";
    return { standing: "failed", title: "The run was canceled", detail };
  }
  const isNullRerun = run.kind === "null-rerun";
  const verdict = isNullRerun ? falseAlarmsOf(tally) : conclusionOf(tally);
  const { failed } = tally;
  const besides = [
    failed > 0 && verdict.standing !== "failed"
      ? `${count(failed, "screenshot")} could not be captured; the reasons are below.`
      : "",
    verdict.standing === "minor" || isNullRerun ? "" : minorBesides(tally),
  ];
  return { ...verdict, detail: [verdict.detail, ...besides].filter(part => part !== "").join(" ") };
}

/** Kinds of screenshots that wait for a decision, the most urgent first. */
const OPEN = ["changed", "new", "removed"] as const;

/** Goes by the screenshots, which the page shows beside it and may know to be decided before the run is. */
function conclusionOf(tally: Tally): Verdict {
  const { rejected = 0 } = tally.standings;
  // The run comes to the same whether its minor changes are approved or not.
  const approved = withoutMinor(tally, "approved");
  const carried = withoutMinor(tally, "carried");
  const waiting = OPEN.flatMap(kind => {
    const size = tally.standings[kind] ?? 0;
    return size > 0 ? [{ kind, size }] : [];
  });
  if (rejected > 0) return rejectedOf(rejected, waiting);
  const [first] = waiting;
  if (first)
    return { standing: first.kind, title: `${inWords(waiting)} to review`, detail: waitOf(tally, waiting) };
  const before = `${count(carried, "change")} ${carried === 1 ? "was" : "were"} approved before, in this pull request or branch.`;
  if (approved > 0) {
    const detail = "The next run is compared with these screenshots.";
    return { standing: "approved", title: "Approved", detail: carried > 0 ? `${detail} ${before}` : detail };
  }
  if (tally.failed > 0) return failedOf(tally, carried > 0 ? before : "");
  if (carried > 0) return { standing: "carried", title: "Approved before", detail: before };
  const minor = sizeOf({ standings: tally.minor });
  if (minor > 0) return minorOf(tally, minor);
  const detail = `${count(sizeOf(tally), "screenshot")} compared with the baseline.`;
  return { standing: "unchanged", title: "Nothing changed", detail };
}

/** Returns what a null rerun found. Every changed screenshot is a false alarm; none is to be reviewed. */
function falseAlarmsOf({ standings: { changed = 0, unchanged = 0, minor = 0 } }: Tally): Verdict {
  const compared = count(changed + unchanged + minor, "screenshot");
  return {
    standing: changed > 0 ? "changed" : "unchanged",
    title: `Null rerun: ${changed > 0 ? count(changed, "false alarm") : "no false alarms"}`,
    detail: `${compared} compared with the run that this one repeats. There is nothing to review.`,
  };
}

function withoutMinor({ standings, minor }: Tally, standing: Standing): number {
  return (standings[standing] ?? 0) - (minor[standing] ?? 0);
}

/** Returns what a run with minor changes only comes to. */
function minorOf(tally: Tally, minor: number): Verdict {
  const open = tally.minor.minor ?? 0;
  const title = unchangedInWords(sizeOf(tally) - minor, minor);
  if (open === 0) {
    const approved = minor === 1 ? "The minor change is approved." : "The minor changes are approved.";
    const detail = `${approved} The next run is compared with these screenshots.`;
    return { standing: "approved", title, detail };
  }
  const said =
    open < minor ? ` ${figure(minor - open)} of them ${minor - open === 1 ? "is" : "are"} approved.` : "";
  return {
    standing: "minor",
    title,
    detail: `Minor changes are within the threshold and don't need a review.${said}`,
  };
}

function minorBesides({ minor: { minor = 0 } }: Tally): string {
  if (minor === 0) return "";
  return minor === 1
    ? "1 more screenshot has a minor change, within the threshold."
    : `${figure(minor)} more screenshots have minor changes, within the threshold.`;
}

interface Waiting {
  kind: (typeof OPEN)[number];
  size: number;
}

/** `18 changed, 2 new and 1 removed screenshot` */
function inWords(waiting: readonly Waiting[]): string {
  const parts = waiting.map(({ kind, size }, index) =>
    index < waiting.length - 1 ? `${figure(size)} ${kind}` : count(size, `${kind} screenshot`),
  );
  return new Intl.ListFormat("en-GB").format(parts);
}

function sumOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { size }) => sum + size, 0);
}

function waitOf(tally: Tally, waiting: readonly Waiting[]): string {
  const [open, all] = [sumOf(waiting), sizeOf(tally)];
  const wait = `${figure(open)} of ${count(all, "screenshot")} ${open === 1 ? "waits" : "wait"} for a decision.`;
  if (waiting.some(({ kind }) => kind !== "new")) return wait;
  const fresh = "There is no baseline to compare with yet: what is approved becomes it.";
  return open === all ? fresh : `${wait} ${fresh}`;
}

function rejectedOf(rejected: number, waiting: readonly Waiting[]): Verdict {
  const detail = `${count(rejected, "screenshot")} ${rejected === 1 ? "was" : "were"} rejected and no baseline comes of that.`;
  if (waiting.length === 0) return { standing: "rejected", title: "Rejected", detail };
  return { standing: "rejected", title: `Rejected, ${figure(sumOf(waiting))} more to review`, detail };
}

function failedOf(tally: Tally, before: string): Verdict {
  const others = tally.standings.unchanged ?? 0;
  const same = others > 0 ? `${count(others, "other")} ${others === 1 ? "is" : "are"} unchanged.` : "";
  const title = `${count(tally.failed, "screenshot")} could not be captured`;
  return { standing: "failed", title, detail: `${same} ${before} The reasons are below.`.trim() };
}

function progressOf(run: RunOfVerdict, { standings }: Tally): Verdict {
  if (run.status === "queued") {
    return { standing: "pending", title: "Waiting to start", detail: "Nothing has been rendered yet." };
  }
  const all = sizeOf({ standings });
  const done = all - (standings.pending ?? 0);
  const title = run.status === "rendering" ? "Rendering" : "Comparing";
  const detail = `${done} of ${count(all, "screenshot")} done. The verdict is open until all are.`;
  return { standing: "pending", title, detail };
}
