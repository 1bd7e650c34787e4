import type { AppliedRegion } from "../../../shared/contracts/capture/ignore-region.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";
import type { CapturedScreenshot, ComparedScreenshot, Result } from "../../../shared/contracts/runs/jobs.ts";
import { type CommitFiles, nameChangedFiles } from "../../../shared/explain/name-changed-files.ts";
import { inScopesOfRuns, type WorkScope } from "../../../shared/tracing/work-scope.ts";
import { findApprovalsOfPixels } from "../baselines/baseline.store.ts";
import { type CapsulePair, findCapsulePairs } from "../capsules/capsule.store.ts";
import { findChangedFilesOf } from "../capsules/changed-files.store.ts";
import { recordKept } from "../capsules/record-kept.ts";
import { recordPairResults } from "../comparisons/compare-images.ts";
import { recordProofs } from "../proofs/record-proofs.ts";
import { findRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { recordLoaded } from "../stories/record-loaded.ts";
import { advanceRuns } from "./advance-runs.ts";
import { classifyCapture, mayCarry } from "./classify-capture.rule.ts";
import { dispatchCaptures, noteHeldTime } from "./dispatch-captures.ts";
import { recordStarts } from "./record-starts.ts";
import { releaseMismatched } from "./release-mismatched.ts";
import {
  type ComparisonRecord,
  findComparisons,
  findPending,
  recordCaptures,
  recordComparisons,
  recordFailures,
} from "./result.store.ts";

/** A result, and the scope of the job that brought it. */
export interface ScopedResult {
  result: Result;
  scope: WorkScope;
}

/** Writes results of many jobs. What follows from a result belongs to the trace of its job. */
export function recordBatch(context: RunsContext, batch: ScopedResult[]): Promise<void> {
  const scopes = new Map(batch.map(({ result, scope }) => [result.runId, scope]));
  const results = batch.map(({ result }) => result);
  return inScopesOfRuns(scopes, () => recordResults(context, results));
}

/** Writes results in a few statements, however many there are, and advances their runs. */
export async function recordResults(context: RunsContext, all: Result[]): Promise<void> {
  const results = await recordPairResults(context, all);
  const em = context.em();
  const captured = results.filter(result => result.kind === "captured");
  const compared = results.filter(result => result.kind === "compared");
  const failed = results.filter(result => result.kind === "failed");
  const proved = results.filter(result => result.kind === "proved");

  const runIds = runIdsOf(results);
  await recordStarts(context, runIds);
  if (captured.length > 0) await recordCaptured(context, captured);
  if (compared.length > 0) {
    const commits = await findChangedFilesOf(em, runIdsOf(compared.filter(({ explanation }) => explanation)));
    await recordComparisons(
      em,
      compared.map(result => comparisonRecord(result, commits.get(result.runId))),
    );
  }
  await recordProofs(context, proved);
  // Failures come last, because they don't apply if another attempt succeeded.
  if (failed.length > 0) await recordFailures(em, failed);
  const moved = results.filter(({ kind }) => kind !== "started").map(result => result.runId);
  await advanceRuns(context, [...new Set(moved)]);
  await shareFreedSlots(
    context,
    results.filter(result => isSlotResult(result)),
  );
}

function runIdsOf(results: readonly { runId: string }[]): string[] {
  return [...new Set(results.map(({ runId }) => runId))];
}

type SlotResult = Extract<Result, { kind: "captured" | "failed" }>;

function isSlotResult(result: Result): result is SlotResult {
  return result.kind === "captured" || (result.kind === "failed" && result.stage === "capture");
}

/** Charges for the slots that were held, and dispatches captures to the free slots. */
async function shareFreedSlots(context: RunsContext, results: SlotResult[]): Promise<void> {
  if (results.length === 0) return;
  for (const { runId, heldMs } of results) if (heldMs !== undefined) noteHeldTime(context, runId, heldMs);
  await dispatchCaptures(context);
}

async function recordCaptured(context: RunsContext, captures: CapturedScreenshot[]): Promise<void> {
  const em = context.em();
  // If a batch has two captures of a screenshot, the first counts. Otherwise the row could hold either.
  const first = new Map(captures.toReversed().map(capture => [capture.screenshotId, capture]));
  const pending = await findPending(em, [...first.keys()]);
  const rows = new Map(pending.map(screenshot => [screenshot.id, screenshot]));
  const runs = new Map(
    (await findRuns(em, [...new Set(pending.map(row => row.runId))])).map(run => [run.id, run]),
  );
  const expected = [...first.values()].flatMap(capture => {
    const screenshot = rows.get(capture.screenshotId);
    const run = screenshot && runs.get(screenshot.runId);
    return screenshot && run?.completedAt === null ? [{ capture, screenshot, run }] : [];
  });
  const pairs = await releaseMismatched(context, expected);
  const approvals = await findApprovalsOfPixels(
    em,
    pairs
      .filter(({ screenshot, capture, run }) => mayCarry(run, screenshot, capture))
      .map(({ screenshot, capture, run }) => ({
        screenshotId: screenshot.id,
        projectId: run.projectId,
        scope: run.scope,
        ...pickPage(screenshot),
        hash: capture.hash,
      })),
  );
  const records = pairs.map(({ screenshot, capture }) => ({
    runId: capture.runId,
    colorThreshold: screenshot.colorThreshold,
    record: classifyCapture(screenshot, capture, approvals.get(screenshot.id)),
  }));
  const recorded = await recordCaptures(
    em,
    records.map(({ record }) => record),
  );
  await recordLoaded(
    em,
    pairs.filter(({ screenshot }) => recorded.has(screenshot.id)),
  );
  await recordKept(
    em,
    pairs.map(({ capture }) => capture).filter(({ screenshotId }) => recorded.has(screenshotId)),
  );
  const undecided = records
    .filter(({ record }) => record.status === "pending" && recorded.has(record.id))
    .map(({ record, ...rest }) => ({ ...record, ...rest }));
  // Captures that another node recorded before it stopped, without queuing the comparison. The result was redelivered
  // for that.
  const resumed = pending.filter(row => row.capturedAt !== null && row.hash === first.get(row.id)?.hash);
  await compare(context, [...undecided, ...resumed]);
}

type Undecided = Pick<
  Screenshot,
  "id" | "runId" | "hash" | "baselineHash" | "colorThreshold" | "ignoreRegions"
>;

/** Reuses an earlier comparison of the same two images with the same settings. Queues the rest. */
async function compare(context: RunsContext, undecided: Undecided[]): Promise<void> {
  const pairs = undecided.flatMap(({ runId, id, hash, baselineHash, colorThreshold, ignoreRegions }) =>
    hash === null || baselineHash === null
      ? []
      : [{ runId, id, hash, baselineHash, colorThreshold, ignoreRegions, attempt: 1 }],
  );
  const em = context.em();
  const known = await findComparisons(em, pairs);
  const commits = await findChangedFilesOf(
    em,
    runIdsOf(pairs.filter(({ id }) => known.get(id)?.explanation)),
  );
  const capsules = await findCapsulePairs(
    em,
    pairs.map(pair => pair.id),
  );
  const reused: ComparisonRecord[] = [];
  for (const pair of pairs) {
    const { runId, id, hash, baselineHash } = pair;
    const same = known.get(id);
    const explanation = nameFiles(same?.explanation, commits.get(runId));
    const isExplained = explanation !== null || !capsules.has(id);
    if (same && isExplained && same.diffPixels !== null && same.diffRatio !== null) {
      const { diffPixels, diffRatio, faintPixels, regions, maskHash, ignoredPixels, fingerprint } = same;
      const found = { diffPixels, diffRatio, faintPixels, regions, maskHash, ignoredPixels, fingerprint };
      reused.push({ id, hash, baselineHash, ...found, explanation });
    } else {
      await enqueueComparison(context, pair, capsules.get(id));
    }
  }
  if (reused.length > 0) await recordComparisons(em, reused);
}

interface Pair {
  runId: string;
  id: string;
  hash: string;
  baselineHash: string;
  colorThreshold: number;
  ignoreRegions: AppliedRegion[];
  attempt: number;
}

/** Queues the comparison of a captured screenshot with its baseline. */
export async function enqueueComparison(
  context: RunsContext,
  { runId, id, hash, baselineHash, colorThreshold, ignoreRegions, attempt }: Pair,
  capsules: CapsulePair | undefined,
): Promise<void> {
  const token = context.tokens.issue("compare", runId, id);
  const pair = { baselineHash, currentHash: hash, colorThreshold, ignoreRegions };
  const job = { runId, screenshotId: id, ...pair, ...(capsules && { capsules }), token };
  await context.queue.enqueue("compare", job, { id, fairKey: runId, attempt });
}

function comparisonRecord(compared: ComparedScreenshot, commit: CommitFiles | undefined): ComparisonRecord {
  const { screenshotId, currentHash, baselineHash, diffPixels, diffRatio, faintPixels = 0 } = compared;
  const { regions, maskHash, fingerprint } = compared;
  return {
    id: screenshotId,
    hash: currentHash,
    baselineHash,
    ...{ diffPixels, diffRatio, faintPixels, regions, maskHash },
    ignoredPixels: (compared.ignored ?? []).map(({ pixels }) => pixels),
    fingerprint,
    explanation: nameFiles(compared.explanation, commit),
  };
}

function nameFiles(
  explanation: Explanation | null | undefined,
  commit: CommitFiles | undefined,
): Explanation | null {
  return explanation && commit ? nameChangedFiles(explanation, commit) : (explanation ?? null);
}
