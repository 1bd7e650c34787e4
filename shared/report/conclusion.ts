import { isEnded } from "../contracts/runs/run-outcomes.ts";
import { describeUnchanged } from "./describe-screenshot.ts";
import type { DisplayStatus } from "./display-status.ts";
import type { ReportModel } from "./report-model.ts";
import { sizeOf, type Tally, tallyOf } from "./tally.ts";
import { CONCLUSION_TEXTS as TEXTS } from "./texts.ts";

/** A run's conclusion in words. */
export interface ConclusionText {
  /** The status whose icon and color are shown. */
  status: DisplayStatus;
  title: string;
  detail: string;
}

type DescribedRun = Pick<ReportModel["run"], "kind" | "status" | "error">;

/** Describes the conclusion of a run. */
export function describeConclusion({ run, screenshots }: ReportModel): ConclusionText {
  return describeTallied(run, tallyOf(screenshots));
}

/** Describes the conclusion of counted screenshots. */
export function describeTallied(run: DescribedRun, tally: Tally): ConclusionText {
  if (!isEnded(run.status)) return progressOf(run, tally);
  if (run.status === "failed" || run.status === "canceled") {
    const { title, detail } = TEXTS[run.status];
    return { status: "failed", title, detail: run.error ?? detail };
  }
  const isNullRerun = run.kind === "null-rerun";
  const conclusion = isNullRerun ? falseAlarmsOf(tally) : conclusionOf(tally);
  const { failed } = tally;
  const notCaptured = failed > 0 && conclusion.status !== "failed";
  const { minor = 0 } = tally.minor;
  const hasMinor = minor > 0 && conclusion.status !== "minor" && !isNullRerun;
  const detail = joined(
    conclusion.detail,
    notCaptured && `${TEXTS.notCaptured(failed)} ${TEXTS.reasons(failed)}`,
    hasMinor && TEXTS.minorBesides(minor),
  );
  return { ...conclusion, detail };
}

/** Kinds of screenshots that need review, the most urgent first. */
const OPEN = ["changed", "new", "removed"] as const;

/** Uses the screenshots' states, which may be newer than the run's conclusion. */
function conclusionOf(tally: Tally): ConclusionText {
  const { rejected = 0 } = tally.standings;
  // Approving minor changes doesn't change the conclusion.
  const approved = withoutMinor(tally, "approved");
  const carried = withoutMinor(tally, "carried");
  const waiting = OPEN.flatMap(kind => {
    const size = tally.standings[kind] ?? 0;
    return size > 0 ? [{ kind, size }] : [];
  });
  if (rejected > 0) return rejectedOf(rejected, waiting);
  const [first] = waiting;
  if (first) return { status: first.kind, title: TEXTS.toReview(waiting), detail: waitOf(tally, waiting) };
  const carriedDetail = carried > 0 && TEXTS.carriedDetail(carried);
  if (approved > 0)
    return {
      status: "approved",
      title: TEXTS.approved,
      detail: joined(TEXTS.newBaselines, carriedDetail),
    };
  if (tally.failed > 0) return failedOf(tally, carriedDetail);
  if (carried > 0) return { status: "carried", title: TEXTS.carried, detail: TEXTS.carriedDetail(carried) };
  const minor = sizeOf({ standings: tally.minor });
  if (minor > 0) return minorOf(tally, minor);
  return { status: "unchanged", title: TEXTS.unchanged, detail: TEXTS.compared(sizeOf(tally)) };
}

/** Describes a null rerun. Every changed screenshot is a false alarm, and none needs review. */
function falseAlarmsOf({ standings: { changed = 0, unchanged = 0, minor = 0 } }: Tally): ConclusionText {
  return {
    status: changed > 0 ? "changed" : "unchanged",
    title: TEXTS.nullRerun(changed),
    detail: TEXTS.nullRerunDetail(changed + unchanged + minor),
  };
}

function withoutMinor({ standings, minor }: Tally, status: DisplayStatus): number {
  return (standings[status] ?? 0) - (minor[status] ?? 0);
}

/** Describes a run with minor changes only. */
function minorOf(tally: Tally, minor: number): ConclusionText {
  const open = tally.minor.minor ?? 0;
  const title = describeUnchanged(sizeOf(tally) - minor, minor);
  if (open === 0)
    return { status: "approved", title, detail: joined(TEXTS.minorApproved(minor), TEXTS.newBaselines) };
  const detail = joined(TEXTS.minorOpen, open < minor && TEXTS.someApproved(minor - open));
  return { status: "minor", title, detail };
}

interface Waiting {
  kind: (typeof OPEN)[number];
  size: number;
}

function sumOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { size }) => sum + size, 0);
}

function waitOf(tally: Tally, waiting: readonly Waiting[]): string {
  const [open, all] = [sumOf(waiting), sizeOf(tally)];
  if (waiting.some(({ kind }) => kind !== "new")) return TEXTS.needReview(open, all);
  return open === all ? TEXTS.noBaselines : joined(TEXTS.needReview(open, all), TEXTS.newPages);
}

function rejectedOf(rejected: number, waiting: readonly Waiting[]): ConclusionText {
  const detail = TEXTS.rejectedDetail(rejected);
  return { status: "rejected", title: TEXTS.rejected(sumOf(waiting)), detail };
}

function failedOf(tally: Tally, carriedDetail: string | false): ConclusionText {
  const others = tally.standings.unchanged ?? 0;
  const title = TEXTS.notCaptured(tally.failed).replace(/\.$/, "");
  const detail = joined(
    others > 0 && TEXTS.othersUnchanged(others),
    carriedDetail,
    TEXTS.reasons(tally.failed),
  );
  return { status: "failed", title, detail };
}

function progressOf(run: DescribedRun, { standings }: Tally): ConclusionText {
  if (run.status === "queued") return { status: "pending", ...TEXTS.queued };
  const all = sizeOf({ standings });
  const done = all - (standings.pending ?? 0);
  const title = run.status === "rendering" ? TEXTS.rendering : TEXTS.comparing;
  return { status: "pending", title, detail: TEXTS.progress(done, all) };
}

/** Joins the given sentences. */
function joined(...sentences: (string | false)[]): string {
  return sentences.filter(sentence => sentence !== false).join(" ");
}
