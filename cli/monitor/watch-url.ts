import { setTimeout as delay } from "node:timers/promises";
import { regionsAt } from "../../shared/contracts/runs/ignore-region.ts";
import { asError } from "../../shared/errors.ts";
import { captureNotes } from "../../shared/report/capture-notes.ts";
import type { CaptureEngine } from "../check/capture-engine.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";
import type { HistoryEntry, HistoryShot, Outcome, ShotState } from "./history-entry.ts";
import { type BaselineImage, lookAt, type Sight, type Unseen } from "./look-at.ts";
import type { Target } from "./monitor-plan.ts";
import { type Baseline, type Baselines, imagePath, UrlHistory } from "./url-history.ts";

/** Once to see it, once to confirm it, and once more where the second look saw something else that is wrong. */
const MOST_LOOKS = 3;
/** What was wrong for a moment only is over by then. */
const CONFIRM_AFTER_MS = 2_000;

/** How to look. */
export interface WatchOptions {
  engine: CaptureEngine;
  historyDir: string;
  /** When the run began. */
  at: Date;
  /** Fraction of changed pixels that is still no drift. */
  threshold: number;
  /** Whether what differs is looked at again before it counts. */
  confirms: boolean;
  /** Whether what is seen now becomes the baseline. */
  accepts: boolean;
  /** Whether a run that found what the run before it found is stored too. */
  keepsAll: boolean;
  signal: AbortSignal;
}

/** What is wrong with a page at a width, as far as one look can tell. */
type Failure = "changed" | "down" | "lost";

/** A page at a width as the last look saw it. */
interface Seen {
  viewport: number;
  state: ShotState;
  sight: Sight;
  looks: number;
  baseline: Baseline | null;
}

/** What a page at a width is compared with; nulls where there is nothing yet. */
interface Known {
  baseline: Baseline | null;
  image: BaselineImage | null;
}

/** Looks at one URL at its widths, makes what is new its baseline, and writes down what was found. */
export async function watchUrl(target: Target, options: WatchOptions): Promise<HistoryEntry> {
  const begun = performance.now();
  const history = UrlHistory.of(options.historyDir, target.url);
  await history.open();
  const baselines = options.accepts ? {} : await history.baselines().catch(asError);
  const seen: Seen[] = [];
  for (const viewport of target.viewports)
    seen.push(await lookUntilSure(target, viewport, knownOf(history, baselines, viewport), options));
  await establish(history, target.url, seen, options);
  const entry: HistoryEntry = {
    version: 1,
    url: target.url,
    at: options.at.toISOString(),
    durationMs: Math.round(performance.now() - begun),
    outcome: outcomeOf(seen),
    threshold: options.threshold,
    shots: await Promise.all(seen.map(one => shotOf(history, one))),
  };
  if (options.keepsAll || (await isNews(history, entry))) await history.add(entry);
  return entry;
}

function knownOf(history: UrlHistory, baselines: Baselines | Error, viewport: number): Known {
  // The baseline is unreadable: this screenshot must not replace it.
  if (baselines instanceof Error)
    return { baseline: null, image: { hash: null, read: () => Promise.reject(baselines) } };
  const baseline = baselines[viewport] ?? null;
  if (baseline === null) return { baseline, image: null };
  return { baseline, image: { hash: baseline.hash, read: () => history.image(baseline.hash) } };
}

/** Only what is wrong in the same way twice in a row counts; a third look decides between two that disagree. */
async function lookUntilSure(
  { url, options, colorThreshold, ignoreRegions }: Target,
  viewport: number,
  { baseline, image }: Known,
  { engine, threshold, confirms, signal }: WatchOptions,
): Promise<Seen> {
  const before: Failure[] = [];
  for (let looks = 1; ; looks++) {
    const how = { colorThreshold, ignoreRegions: regionsAt(ignoreRegions, viewport) };
    const request = { url, viewport, options, ...how, baseline: image, isConfirmation: looks > 1 };
    const sight = await lookAt(engine, request, signal);
    const state = stateOf(sight, baseline, threshold);
    const fault = failureIn(state, sight);
    const isSure = fault === null || fault === before.at(-1) || (fault === "changed" && !confirms);
    const isConfirmed = isSure || (looks === MOST_LOOKS && before.includes(fault));
    if (isConfirmed) return { viewport, state, sight, looks, baseline };
    if (looks === MOST_LOOKS)
      return { viewport, state: "failed", sight: unconfirmed(sight), looks, baseline };
    before.push(fault);
    await delay(CONFIRM_AFTER_MS, undefined, { signal });
  }
}

/** A page that fails is something else than a machine that cannot look; null where nothing is wrong. */
function failureIn(state: ShotState, sight: Sight): Failure | null {
  if ("why" in sight) return sight.isPageFailure ? "down" : "lost";
  return state === "changed" ? state : null;
}

/** What was seen once only says nothing of the page yet. */
function unconfirmed(sight: Sight): Unseen {
  return { why: "why" in sight ? sight.why : MONITOR_NOTES.onlyOnce, isPageFailure: false };
}

function stateOf(sight: Sight, baseline: Baseline | null, threshold: number): ShotState {
  if ("why" in sight) return "failed";
  if (baseline === null) return "new";
  return (sight.comparison?.diffRatio ?? 0) > threshold ? "changed" : "ok";
}

/** A page that fails outdoes one that differs; what this machine could not do says nothing of the page. */
function outcomeOf(seen: Seen[]): Outcome {
  const failed = seen.flatMap(({ sight }) => ("why" in sight ? [sight] : []));
  if (failed.some(({ isPageFailure }) => isPageFailure)) return "down";
  if (seen.some(({ state }) => state === "changed")) return "changed";
  if (failed.length > 0) return "failed";
  return seen.some(({ state }) => state === "new") ? "established" : "ok";
}

async function establish(
  history: UrlHistory,
  url: string,
  seen: Seen[],
  { at, signal }: WatchOptions,
): Promise<void> {
  const established: Record<string, Baseline> = {};
  for (const { viewport, state, sight } of seen) {
    if (state !== "new" || "why" in sight) continue;
    const { png, hash, browser } = sight.capture;
    await history.putImage(png);
    established[viewport] = { hash, browser, at: at.toISOString() };
  }
  if (Object.keys(established).length > 0) await history.establish(url, established, signal);
}

async function shotOf(
  history: UrlHistory,
  { viewport, state, sight, looks, baseline }: Seen,
): Promise<HistoryShot> {
  const none = { baseline: null, current: null, diff: null };
  const nothing = { diffRatio: null, diffPixels: null, hash: null, stable: null, browser: null };
  if ("why" in sight)
    return { viewport, state, looks, ...nothing, images: none, error: sight.why, notes: [] };
  const { capture, comparison } = sight;
  const mask = state === "changed" ? (comparison?.mask ?? null) : null;
  return {
    viewport,
    state,
    looks,
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
    notes: notesOf(sight, baseline),
  };
}

function notesOf(sight: Exclude<Sight, Unseen>, baseline: Baseline | null): string[] {
  const { stable, moving, browser } = sight.capture;
  return [
    ...(stable ? [] : [MONITOR_NOTES.keptChanging(moving)]),
    ...captureNotes(sight.capture),
    ...(baseline === null || baseline.browser === browser
      ? []
      : [MONITOR_NOTES.otherBrowser(baseline.browser, browser)]),
  ];
}

async function isNews(history: UrlHistory, entry: HistoryEntry): Promise<boolean> {
  const [newest] = await history.names();
  const before = newest === undefined ? null : await history.entry(newest);
  const gist = ({ outcome, shots }: HistoryEntry) =>
    JSON.stringify([
      outcome,
      // A difference within the threshold may be another one at each look.
      shots.map(({ viewport, state, hash, error }) => [viewport, state, state === "ok" ? null : hash, error]),
    ]);
  return before === null || gist(before) !== gist(entry);
}
