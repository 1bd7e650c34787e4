import { isEnded } from "../contracts/runs/run-outcomes.ts";
import { unchangedInWords } from "./describe-screenshot.ts";
import type { ReportModel } from "./report-model.ts";
import type { DisplayStatus } from "./standing.ts";
import { sizeOf, type Tally, tallyOf } from "./tally.ts";
import { CONCLUSION_TEXTS as TEXTS } from "./texts.ts";

/** A run's conclusion in words. */
export interface Verdict {
  /** The status whose icon and color are shown. */
  standing: DisplayStatus;
  title: string;
  detail: string;
}

type RunOfVerdict = Pick<ReportModel["run"], "kind" | "status" | "error">;

/** Describes the conclusion of a run. */
export function verdictOf({ run, screenshots }: ReportModel): Verdict {
  return verdictFrom(run, tallyOf(screenshots));
}

/** Describes the conclusion of counted screenshots. */
export function verdictFrom(run: RunOfVerdict, tally: Tally): Verdict {
  if (!isEnded(run.status)) return progressOf(run, tally);
  if (run.status === "failed" || run.status === "canceled") {
    const { title, detail } = TEXTS[run.status];
    return { standing: "failed", title, detail: run.error ?? detail };
  }
  const isNullRerun = run.kind === "null-rerun";
  const verdict = isNullRerun ? falseAlarmsOf(tally) : conclusionOf(tally);
  const { failed } = tally;
  const notCaptured = failed > 0 && verdict.standing !== "failed";
  const { minor = 0 } = tally.minor;
  const hasMinor = minor > 0 && verdict.standing !== "minor" && !isNullRerun;
  const detail = joined(
    verdict.detail,
    notCaptured && `${TEXTS.notCaptured(failed)} ${TEXTS.reasons(failed)}`,
    hasMinor && TEXTS.minorBesides(minor),
  );
  return { ...verdict, detail };
}

/** Kinds of screenshots that need review, the most urgent first. */
const OPEN = ["changed", "new", "removed"] as const;

/** Uses the screenshots' states, which may be newer than the run's conclusion. */
function conclusionOf(tally: Tally): Verdict {
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
  if (first) return { standing: first.kind, title: TEXTS.toReview(waiting), detail: waitOf(tally, waiting) };
  const carriedDetail = carried > 0 && TEXTS.carriedDetail(carried);
  if (approved > 0)
    return {
      standing: "approved",
      title: TEXTS.approved,
      detail: joined(TEXTS.newBaselines, carriedDetail),
    };
  if (tally.failed > 0) return failedOf(tally, carriedDetail);
  if (carried > 0) return { standing: "carried", title: TEXTS.carried, detail: TEXTS.carriedDetail(carried) };
  const minor = sizeOf({ standings: tally.minor });
  if (minor > 0) return minorOf(tally, minor);
  return { standing: "unchanged", title: TEXTS.unchanged, detail: TEXTS.compared(sizeOf(tally)) };
}

/** Describes a null rerun. Every changed screenshot is a false alarm, and none needs review. */
function falseAlarmsOf({ standings: { changed = 0, unchanged = 0, minor = 0 } }: Tally): Verdict {
  return {
    standing: changed > 0 ? "changed" : "unchanged",
    title: TEXTS.nullRerun(changed),
    detail: TEXTS.nullRerunDetail(changed + unchanged + minor),
  };
}

function withoutMinor({ standings, minor }: Tally, standing: DisplayStatus): number {
  return (standings[standing] ?? 0) - (minor[standing] ?? 0);
}

/** Describes a run with minor changes only. */
function minorOf(tally: Tally, minor: number): Verdict {
  const open = tally.minor.minor ?? 0;
  const title = unchangedInWords(sizeOf(tally) - minor, minor);
  if (open === 0)
    return { standing: "approved", title, detail: joined(TEXTS.minorApproved(minor), TEXTS.newBaselines) };
  const detail = joined(TEXTS.minorOpen, open < minor && TEXTS.someApproved(minor - open));
  return { standing: "minor", title, detail };
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

function rejectedOf(rejected: number, waiting: readonly Waiting[]): Verdict {
  const detail = TEXTS.rejectedDetail(rejected);
  return { standing: "rejected", title: TEXTS.rejected(sumOf(waiting)), detail };
}

function failedOf(tally: Tally, carriedDetail: string | false): Verdict {
  const others = tally.standings.unchanged ?? 0;
  const title = TEXTS.notCaptured(tally.failed).replace(/\.$/, "");
  const detail = joined(
    others > 0 && TEXTS.othersUnchanged(others),
    carriedDetail,
    TEXTS.reasons(tally.failed),
  );
  return { standing: "failed", title, detail };
}

function progressOf(run: RunOfVerdict, { standings }: Tally): Verdict {
  if (run.status === "queued") return { standing: "pending", ...TEXTS.queued };
  const all = sizeOf({ standings });
  const done = all - (standings.pending ?? 0);
  const title = run.status === "rendering" ? TEXTS.rendering : TEXTS.comparing;
  return { standing: "pending", title, detail: TEXTS.progress(done, all) };
}

/** Joins the given sentences. */
function joined(...sentences: (string | false)[]): string {
  return sentences.filter(sentence => sentence !== false).join(" ");
}
