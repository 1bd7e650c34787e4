import { setTimeout as delay } from "node:timers/promises";
import { confirmProblem, type PageProblem } from "../../shared/alerts/confirm-problem.rule.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { asError } from "../../shared/errors.ts";
import { captureNotes } from "../../shared/report/capture-notes.ts";
import type { CaptureEngine } from "../check/capture-engine.ts";
import type { Logins } from "../check/read-logins.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";
import { type Attempt, attemptPage, type BaselineImage, type FailedAttempt } from "./attempt-page.ts";
import type { HistoryEntry, HistoryShot, Outcome, ShotState } from "./history-entry.ts";
import type { MonitorVisit, Target } from "./monitor-plan.ts";
import { type Baseline, type Baselines, baselineKeyOf, imagePath, UrlHistory } from "./url-history.ts";

/** Brief problems are over by then. */
const CONFIRM_AFTER_MS = 2_000;

/** Options of a check. */
export interface CheckUrlOptions {
  engine: CaptureEngine;
  logins: Logins;
  historyDir: string;
  /** Start of the run. */
  at: Date;
  /** Share of changed pixels up to which a page counts as unchanged, 0–1. */
  threshold: number;
  /** Whether changes must be confirmed by another attempt. */
  confirms: boolean;
  /** Whether the screenshots become the baselines. */
  accepts: boolean;
  /** Whether the history also stores runs with the same result as the run before. */
  keepsAll: boolean;
  signal: AbortSignal;
}

/** What identifies a screenshot of a URL. */
type ShotKey = Omit<ScreenshotKey, "route">;

/** The last attempt of a screenshot. */
interface ShotResult extends ShotKey {
  outcome: ShotState;
  attempt: Attempt;
  attempts: number;
  baseline: Baseline | null;
}

/** The baseline of a screenshot. Null if there is none yet. */
interface KnownBaseline {
  baseline: Baseline | null;
  image: BaselineImage | null;
}

/** A screenshot that is being checked. */
interface OpenShot extends KnownBaseline {
  key: ShotKey;
  /** Of each attempt. */
  problems: (PageProblem | null)[];
  result: ShotResult | null;
}

/** Checks all screenshots of one URL, creates missing baselines, and stores the result. */
export async function checkUrl(target: Target, options: CheckUrlOptions): Promise<HistoryEntry> {
  const startedAt = performance.now();
  const history = UrlHistory.of(options.historyDir, target.url);
  await history.open();
  const baselines = options.accepts ? {} : await history.baselines().catch(asError);
  const results: ShotResult[] = [];
  for (const visit of target.visits)
    results.push(
      ...(await attemptUntilConfirmed(visit, key => knownBaseline(history, baselines, key), options)),
    );
  await establish(history, target.url, results, options);
  const entry: HistoryEntry = {
    version: 1,
    url: target.url,
    at: options.at.toISOString(),
    durationMs: Math.round(performance.now() - startedAt),
    outcome: outcomeOf(results),
    threshold: options.threshold,
    shots: await Promise.all(results.map(result => shotOf(history, result))),
  };
  if (options.keepsAll || (await isNewResult(history, entry))) await history.add(entry);
  return entry;
}

function knownBaseline(history: UrlHistory, baselines: Baselines | Error, key: ShotKey): KnownBaseline {
  // The baseline is unreadable: this screenshot must not replace it.
  if (baselines instanceof Error)
    return { baseline: null, image: { hash: null, read: () => Promise.reject(baselines) } };
  const baseline = baselines[baselineKeyOf(key)] ?? null;
  if (baseline === null) return { baseline, image: null };
  const { hash, selectorRegions } = baseline;
  return { baseline, image: { hash, selectorRegions, read: () => history.image(hash) } };
}

/** Captures the states of a page until the result of each is confirmed or no attempt is left. */
async function attemptUntilConfirmed(
  visit: MonitorVisit,
  baselineOf: (key: ShotKey) => KnownBaseline,
  options: CheckUrlOptions,
): Promise<ShotResult[]> {
  const { environment, viewport } = visit;
  const shots = visit.states.map((state): OpenShot => {
    const key = { state, environment, viewport };
    return { key, ...baselineOf(key), problems: [], result: null };
  });
  for (let attempts = 1; ; attempts++) {
    const open = shots.filter(({ result }) => result === null);
    const states = open.map(({ key, image }) => ({ state: key.state, baseline: image }));
    const request = { visit, logins: options.logins, states, isConfirmation: attempts > 1 };
    const found = await attemptPage(options.engine, request, options.signal);
    for (const [index, attempt] of found.entries()) {
      const shot = open[index];
      if (shot) shot.result = resultOf(shot, attempt, attempts, options);
    }
    if (shots.every(({ result }) => result !== null)) return shots.flatMap(({ result }) => result ?? []);
    await delay(CONFIRM_AFTER_MS, undefined, { signal: options.signal });
  }
}

/** Returns the result of a screenshot after an attempt. Null if it needs another attempt. */
function resultOf(
  { key, baseline, problems }: OpenShot,
  attempt: Attempt,
  attempts: number,
  { threshold, confirms }: CheckUrlOptions,
): ShotResult | null {
  const outcome = stateOf(attempt, baseline, threshold);
  const problem = problemOf(outcome, attempt);
  problems.push(problem);
  const isFinal = problem === "changed" && !confirms;
  const confirmation = isFinal ? "confirmed" : confirmProblem(problems, attempts);
  if (confirmation === "confirmed") return { ...key, outcome, attempt, attempts, baseline };
  if (confirmation === "unconfirmed")
    return { ...key, outcome: "failed", attempt: unconfirmedAttempt(attempt), attempts, baseline };
  return null;
}

/** Returns the problem of an attempt. A page that is down differs from a machine that can't capture it. */
function problemOf(outcome: ShotState, attempt: Attempt): PageProblem | null {
  if ("reason" in attempt) return attempt.isPageFailure ? "down" : "uncaptured";
  return outcome === "changed" ? outcome : null;
}

/** Returns a failed attempt in place of an unconfirmed problem, which says nothing about the page. */
function unconfirmedAttempt(attempt: Attempt): FailedAttempt {
  return { reason: "reason" in attempt ? attempt.reason : MONITOR_NOTES.onlyOnce, isPageFailure: false };
}

function stateOf(attempt: Attempt, baseline: Baseline | null, threshold: number): ShotState {
  if ("reason" in attempt) return "failed";
  if (baseline === null) return "new";
  return (attempt.comparison?.diffRatio ?? 0) > threshold ? "changed" : "ok";
}

/**
 * Returns the outcome of a URL. A page that is down outweighs one that changed. A failure of this machine says
 * nothing about the page.
 */
function outcomeOf(results: ShotResult[]): Outcome {
  const failed = results.flatMap(({ attempt }) => ("reason" in attempt ? [attempt] : []));
  if (failed.some(({ isPageFailure }) => isPageFailure)) return "down";
  if (results.some(({ outcome }) => outcome === "changed")) return "changed";
  if (failed.length > 0) return "failed";
  return results.some(({ outcome }) => outcome === "new") ? "established" : "ok";
}

async function establish(
  history: UrlHistory,
  url: string,
  results: ShotResult[],
  { at, signal }: CheckUrlOptions,
): Promise<void> {
  const established: Record<string, Baseline> = {};
  for (const { outcome, attempt, ...key } of results) {
    if (outcome !== "new" || "reason" in attempt) continue;
    const { png, hash, browser, selectorRegions } = attempt.capture;
    await history.putImage(png);
    const elements = selectorRegions.length > 0 && { selectorRegions };
    established[baselineKeyOf(key)] = { hash, browser, at: at.toISOString(), ...elements };
  }
  if (Object.keys(established).length > 0) await history.establish(url, established, signal);
}

async function shotOf(
  history: UrlHistory,
  { state, environment, viewport, outcome, attempt, attempts, baseline }: ShotResult,
): Promise<HistoryShot> {
  const page = { stateName: state, environment, viewport, state: outcome };
  const none = { baseline: null, current: null, diff: null };
  const nothing = { diffRatio: null, diffPixels: null, hash: null, stable: null, browser: null };
  if ("reason" in attempt)
    return { ...page, looks: attempts, ...nothing, images: none, error: attempt.reason, notes: [] };
  const { capture, comparison } = attempt;
  const mask = outcome === "changed" ? (comparison?.mask ?? null) : null;
  return {
    ...page,
    looks: attempts,
    diffRatio: baseline === null ? null : (comparison?.diffRatio ?? 0),
    diffPixels: baseline === null ? null : (comparison?.diffPixels ?? 0),
    hash: capture.hash,
    stable: capture.stable,
    browser: capture.browser,
    images: mask
      ? {
          baseline: baseline && imagePath(baseline.hash),
          current: await history.putImage(capture.png),
          diff: await history.putImage(mask),
        }
      : none,
    error: null,
    notes: notesOf(attempt, baseline),
  };
}

function notesOf(attempt: Exclude<Attempt, FailedAttempt>, baseline: Baseline | null): string[] {
  const { stable, moving, browser } = attempt.capture;
  return [
    ...(stable ? [] : [MONITOR_NOTES.keptChanging(moving)]),
    ...captureNotes(attempt.capture),
    ...(baseline === null || baseline.browser === browser
      ? []
      : [MONITOR_NOTES.otherBrowser(baseline.browser, browser)]),
  ];
}

async function isNewResult(history: UrlHistory, entry: HistoryEntry): Promise<boolean> {
  const [newest] = await history.names();
  const before = newest === undefined ? null : await history.entry(newest);
  const summaryOf = ({ outcome, shots }: HistoryEntry) =>
    JSON.stringify([
      outcome,
      // Differences within the threshold vary between checks.
      shots.map(({ stateName, environment, viewport, state, hash, error }) => [
        ...[stateName, environment, viewport, state],
        ...[state === "ok" ? null : hash, error],
      ]),
    ]);
  return before === null || summaryOf(before) !== summaryOf(entry);
}
