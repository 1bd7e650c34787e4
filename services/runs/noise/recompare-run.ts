import { differingPixels } from "../../../shared/compare/comparison.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { Recompared } from "../../../shared/contracts/noise/ignore-rules.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { countCauses } from "../capsules/capsule.store.ts";
import { NO_TALLY } from "../capture/conclude.rule.ts";
import { countIntended } from "../intent/count-intended.ts";
import { findProvenCauses } from "../proofs/proof.store.ts";
import { changeReviews, type ReviewTransaction } from "../reviews/review-transaction.ts";
import type { Run } from "../run.entity.ts";
import { findRun, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import {
  appliesToPage,
  applyRules,
  type IgnoreRule,
  type RuledSettings,
  scaleOf,
  withoutRule,
} from "./ignore-rule.rule.ts";
import type { StoredRule } from "./noise-region.store.ts";

/** More wait for the next run, so that a request stays short. */
const MAX_SCREENSHOTS = 100;
const CONCURRENCY = 4;
/** Another rule can be applied in the meantime. Then the screenshots are compared with both. */
const MAX_ATTEMPTS = 3;

/** The fields of a screenshot that a comparison sets. */
type Compared = Pick<
  Screenshot,
  | "diffPixels"
  | "diffRatio"
  | "faintPixels"
  | "regions"
  | "maskHash"
  | "ignoredPixels"
  | "fingerprint"
  | "explanation"
>;

type Change = Compared &
  RuledSettings &
  Pick<Screenshot, "id" | "hash" | "baselineHash"> & {
    /** The settings that were changed. */
    from: string;
  };

/**
 * Compares the undecided screenshots of a completed run again, with a new rule. Decisions stay, because they were made
 * about what was visible then. @returns null if the run has none, or can't be compared now
 */
export function recompareRun(
  context: RunsContext,
  caller: Caller,
  runId: string,
  rule: StoredRule,
): Promise<Recompared | null> {
  return recompare(context, caller, { runId, projectId: rule.projectId }, screenshot =>
    appliesToPage(rule, screenshot) ? withRule(screenshot, rule) : null,
  );
}

/** Compares the undecided screenshots of a completed run again, without a removed rule. */
export function recompareWithoutRule(
  context: RunsContext,
  caller: Caller,
  runId: string,
  { id, projectId }: StoredRule,
): Promise<Recompared | null> {
  const hasRule = ({ ignoreRegions, raised }: Screenshot) =>
    raised?.rule === id || ignoreRegions.some(({ rule }) => rule === id);
  return recompare(context, caller, { runId, projectId }, screenshot =>
    hasRule(screenshot) ? withoutRule(screenshot, id) : null,
  );
}

function withRule(screenshot: Screenshot, rule: IgnoreRule): RuledSettings | null {
  const { ignoreRegions, threshold, raised, width, viewport } = screenshot;
  const applied = applyRules(screenshot, [rule], width === null ? null : scaleOf(width, viewport));
  const isSame = applied.ignoreRegions.length === ignoreRegions.length && applied.threshold === threshold;
  if (isSame) return null;
  // Without this rule, the run's own threshold counts: the other rule may be gone by then.
  return {
    ...applied,
    raised: applied.raised && raised ? { ...applied.raised, from: raised.from } : (applied.raised ?? raised),
  };
}

async function recompare(
  context: RunsContext,
  caller: Caller,
  { runId, projectId }: { runId: string; projectId: string },
  settingsOf: (screenshot: Screenshot) => RuledSettings | null,
  attempt = 1,
): Promise<Recompared | null> {
  const em = context.em();
  const run = await findRun(em, caller.teamId, runId);
  if (run?.projectId !== projectId || run.kind !== "run" || run.status !== "completed") return null;
  const wanted = (await findScreenshots(em, runId))
    .filter(isUndecided)
    .flatMap(screenshot => {
      const settings = settingsOf(screenshot);
      return settings ? [{ screenshot, settings }] : [];
    })
    .slice(0, MAX_SCREENSHOTS);
  if (wanted.length === 0) return null;
  try {
    const changes: Change[] = [];
    for (let at = 0; at < wanted.length; at += CONCURRENCY)
      changes.push(
        ...(await Promise.all(
          wanted
            .slice(at, at + CONCURRENCY)
            .map(({ screenshot, settings }) => compareAgain(context, screenshot, settings)),
        )),
      );
    const { recompared, isStale } = await applyChanges(context, caller, run, changes);
    if (!isStale || attempt === MAX_ATTEMPTS) return recompared;
    const rest = await recompare(context, caller, { runId, projectId }, settingsOf, attempt + 1);
    return rest ? added(recompared, rest) : recompared;
  } catch (error) {
    // The rule is stored, and counts from the next run on.
    context.warn(error, LOG_MESSAGES.notRecompared(runId));
    return null;
  }
}

function isUndecided({ status, reviews, carriedRunId, hash, baselineHash, diffPixels }: Screenshot): boolean {
  const isCompared = hash !== null && baselineHash !== null && diffPixels !== null && hash !== baselineHash;
  return (
    isCompared && (status === "changed" || status === "unchanged") && reviews === 0 && carriedRunId === null
  );
}

async function compareAgain(
  context: RunsContext,
  screenshot: Screenshot,
  settings: RuledSettings,
): Promise<Change> {
  const { id, hash, baselineHash, colorThreshold, explanation } = screenshot;
  const base = { id, hash, baselineHash, ...settings, from: settingsKey(screenshot) };
  const hasSameRegions = settings.ignoreRegions.length === screenshot.ignoreRegions.length;
  if (hasSameRegions || hash === null || baselineHash === null) {
    const { diffPixels, diffRatio, faintPixels, regions, maskHash, ignoredPixels, fingerprint } = screenshot;
    const known = { diffPixels, diffRatio, faintPixels, regions, maskHash, ignoredPixels, fingerprint };
    return { ...base, ...known, explanation };
  }
  const { ignoreRegions } = settings;
  const pair = { baselineHash, currentHash: hash, colorThreshold, ignoreRegions };
  const { ignored, faintPixels = 0, ...found } = await call(context.bus, "differ.compare", pair);
  return {
    ...base,
    ...found,
    faintPixels,
    ignoredPixels: ignored.map(({ pixels }) => pixels),
    explanation: differingPixels({ ...found, faintPixels }) > 0 ? explanation : null,
  };
}

async function applyChanges(
  context: RunsContext,
  caller: Caller,
  { id: runId }: Run,
  changes: readonly Change[],
): Promise<{ recompared: Recompared; isStale: boolean }> {
  const byId = new Map(changes.map(change => [change.id, change]));
  let isStale = false;
  const { result, conclusion } = await changeReviews(context, caller, { runId }, async transaction => {
    const open = transaction.screenshots.filter(screenshot => isOpenFor(screenshot, byId.get(screenshot.id)));
    const changed = open.filter(screenshot => applyChange(screenshot, byId.get(screenshot.id)));
    isStale = changed.length < open.length;
    await countAgain(transaction);
    return changed;
  });
  const unchanged = result.filter(({ status }) => status === "unchanged").length;
  return { recompared: { runId, screenshots: result.length, unchanged, conclusion }, isStale };
}

function added(one: Recompared, other: Recompared): Recompared {
  return {
    ...other,
    screenshots: one.screenshots + other.screenshots,
    unchanged: one.unchanged + other.unchanged,
  };
}

/** A reviewer may have decided the screenshot in the meantime. @returns whether the change is still about it */
function isOpenFor(screenshot: Screenshot, change: Change | undefined): boolean {
  const { hash, baselineHash } = screenshot;
  return hash === change?.hash && baselineHash === change.baselineHash && isUndecided(screenshot);
}

/** @returns whether the change was applied. It isn't if another rule was applied in the meantime */
function applyChange(screenshot: Screenshot, change: Change | undefined): boolean {
  if (!change || settingsKey(screenshot) !== change.from) return false;
  const { hash: _hash, baselineHash: _baselineHash, from: _from, ...fields } = change;
  Object.assign(screenshot, fields);
  screenshot.status = (change.diffRatio ?? 0) > change.threshold ? "changed" : "unchanged";
  return true;
}

/** Identifies what rules change in a screenshot. */
function settingsKey({ ignoreRegions, threshold, raised }: RuledSettings): string {
  return JSON.stringify([ignoreRegions, threshold, raised]);
}

/** Updates the numbers that the run stored at its end. */
async function countAgain({ em, run }: ReviewTransaction): Promise<void> {
  await em.flush();
  run.tally = null;
  run.tally = (await tallyRuns(em, [run])).get(run.id) ?? NO_TALLY;
  const causes = run.tally.changed > 0 ? await countCauses(em, run.id) : [];
  const proven = new Set(causes.length > 0 ? await findProvenCauses(em, run.id) : []);
  run.causes = causes.map(cause => (proven.has(cause.key) ? { ...cause, isProven: true } : cause));
  run.intent = await countIntended(em, run);
}
