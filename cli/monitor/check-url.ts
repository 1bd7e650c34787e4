import { setTimeout as delay } from "node:timers/promises";
import { confirmProblem, type PageProblem } from "../../shared/alerts/confirm-problem.rule.ts";
import { regionsAt } from "../../shared/contracts/runs/ignore-region.ts";
import { asError } from "../../shared/errors.ts";
import { captureNotes } from "../../shared/report/capture-notes.ts";
import type { CaptureEngine } from "../check/capture-engine.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";
import { type Attempt, attemptPage, type BaselineImage, type FailedAttempt } from "./attempt-page.ts";
import type { HistoryEntry, HistoryShot, Outcome, ShotState } from "./history-entry.ts";
import type { Target } from "./monitor-plan.ts";
import { type Baseline, type Baselines, imagePath, UrlHistory } from "./url-history.ts";

/** Brief problems are over by then. */
const CONFIRM_AFTER_MS = 2_000;

/** Options of a check. */
export interface CheckUrlOptions {
  engine: CaptureEngine;
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

/** The last attempt of a page at a width. */
interface PageResult {
  viewport: number;
  state: ShotState;
  attempt: Attempt;
  attempts: number;
  baseline: Baseline | null;
}

/** The baseline of a page at a width. Null if there is none yet. */
interface KnownBaseline {
  baseline: Baseline | null;
  image: BaselineImage | null;
}

/** Checks one URL at its widths, creates missing baselines, and stores the result. */
export async function checkUrl(target: Target, options: CheckUrlOptions): Promise<HistoryEntry> {
  const startedAt = performance.now();
  const history = UrlHistory.of(options.historyDir, target.url);
  await history.open();
  const baselines = options.accepts ? {} : await history.baselines().catch(asError);
  const results: PageResult[] = [];
  for (const viewport of target.viewports)
    results.push(
      await attemptUntilConfirmed(target, viewport, knownBaseline(history, baselines, viewport), options),
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

function knownBaseline(history: UrlHistory, baselines: Baselines | Error, viewport: number): KnownBaseline {
  // The baseline is unreadable: this screenshot must not replace it.
  if (baselines instanceof Error)
    return { baseline: null, image: { hash: null, read: () => Promise.reject(baselines) } };
  const baseline = baselines[viewport] ?? null;
  if (baseline === null) return { baseline, image: null };
  return { baseline, image: { hash: baseline.hash, read: () => history.image(baseline.hash) } };
}

/** Captures a page until its result is confirmed or no attempt is left. */
async function attemptUntilConfirmed(
  { url, options, colorThreshold, ignoreRegions }: Target,
  viewport: number,
  { baseline, image }: KnownBaseline,
  { engine, threshold, confirms, signal }: CheckUrlOptions,
): Promise<PageResult> {
  const problems: (PageProblem | null)[] = [];
  for (let attempts = 1; ; attempts++) {
    const compare = {
      colorThreshold,
      ignoreRegions: regionsAt(ignoreRegions, { viewport, environment: null, scaleFactor: 1 }),
    };
    const request = { url, viewport, options, ...compare, baseline: image, isConfirmation: attempts > 1 };
    const attempt = await attemptPage(engine, request, signal);
    const state = stateOf(attempt, baseline, threshold);
    const problem = problemOf(state, attempt);
    problems.push(problem);
    const isFinal = problem === "changed" && !confirms;
    const confirmation = isFinal ? "confirmed" : confirmProblem(problems, attempts);
    if (confirmation === "confirmed") return { viewport, state, attempt, attempts, baseline };
    if (confirmation === "unconfirmed")
      return { viewport, state: "failed", attempt: unconfirmedAttempt(attempt), attempts, baseline };
    await delay(CONFIRM_AFTER_MS, undefined, { signal });
  }
}

/** Returns the problem of an attempt. A page that is down differs from a machine that can't capture it. */
function problemOf(state: ShotState, attempt: Attempt): PageProblem | null {
  if ("reason" in attempt) return attempt.isPageFailure ? "down" : "uncaptured";
  return state === "changed" ? state : null;
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
function outcomeOf(results: PageResult[]): Outcome {
  const failed = results.flatMap(({ attempt }) => ("reason" in attempt ? [attempt] : []));
  if (failed.some(({ isPageFailure }) => isPageFailure)) return "down";
  if (results.some(({ state }) => state === "changed")) return "changed";
  if (failed.length > 0) return "failed";
  return results.some(({ state }) => state === "new") ? "established" : "ok";
}

async function establish(
  history: UrlHistory,
  url: string,
  results: PageResult[],
  { at, signal }: CheckUrlOptions,
): Promise<void> {
  const established: Record<string, Baseline> = {};
  for (const { viewport, state, attempt } of results) {
    if (state !== "new" || "reason" in attempt) continue;
    const { png, hash, browser } = attempt.capture;
    await history.putImage(png);
    established[viewport] = { hash, browser, at: at.toISOString() };
  }
  if (Object.keys(established).length > 0) await history.establish(url, established, signal);
}

async function shotOf(
  history: UrlHistory,
  { viewport, state, attempt, attempts, baseline }: PageResult,
): Promise<HistoryShot> {
  const none = { baseline: null, current: null, diff: null };
  const nothing = { diffRatio: null, diffPixels: null, hash: null, stable: null, browser: null };
  if ("reason" in attempt)
    return { viewport, state, looks: attempts, ...nothing, images: none, error: attempt.reason, notes: [] };
  const { capture, comparison } = attempt;
  const mask = state === "changed" ? (comparison?.mask ?? null) : null;
  return {
    viewport,
    state,
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
      shots.map(({ viewport, state, hash, error }) => [viewport, state, state === "ok" ? null : hash, error]),
    ]);
  return before === null || summaryOf(before) !== summaryOf(entry);
}
