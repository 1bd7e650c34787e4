import {
  type Capture,
  CaptureError,
  type VisitRequest,
  type VisitState,
} from "../../../shared/capture/capture-types.ts";
import { differingPixels } from "../../../shared/compare/comparison.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";
import { type CommitFiles, nameChangedFiles } from "../../../shared/explain/name-changed-files.ts";
import type { Baseline, BaselinesToCompare } from "../../baselines/baselines.ts";
import { Backlog, Slots } from "../../concurrency.ts";
import type { Plugin } from "../../plugins/plugin.ts";
import { notifyCaptured, pageCodeOf, settingsOf, withNotes } from "../../plugins/run-hooks.ts";
import type { CaptureEngine } from "../capture-engine.ts";
import type { CheckEvent, CheckedScreenshot } from "../check-result.ts";
import { requireReachable } from "../reach.ts";
import type { Logins } from "../read-logins.ts";
import { capturedScreenshot, failedScreenshot } from "./checked-screenshot.ts";
import { type CompareWork, compareScreenshot } from "./compare-screenshot.ts";
import { type PlannedScreenshot, type PlannedVisit, screenshotsOf } from "./plan-screenshots.ts";
import { shareVisits } from "./share-visits.rule.ts";

/** Dependencies for capturing and storing the screenshots of a check. */
export interface CheckWork extends CompareWork {
  engine: CaptureEngine;
  plugins: readonly Plugin[];
  logins: Logins;
  /** Number of pages at the same time. */
  concurrency: number;
  baseUrl: string;
  onEvent: (event: CheckEvent) => void;
  /** Reads the files that changed in the repository; null if that is unknown. Called only for a change. */
  changedFiles(): Promise<CommitFiles | null>;
  /** Receives each capture. */
  onCapture?: (shot: ScreenshotKey, capture: Capture) => void;
}

/** Screenshots of a visit with what was captured of them. */
type CapturedShots = [PlannedScreenshot, Capture | CaptureError][];

/** A visit that is captured in one or two parts. */
interface OpenVisit {
  /** Returns null if its own page has to follow, and once the signal is aborted. */
  capture(part: "preview" | "ownPage"): Promise<CapturedShots | null>;
}

/**
 * Captures the screenshots of visits and compares each with its baseline. The next page is captured during the
 * comparison.
 * @returns them in the requested order
 * @throws CommandError, or the signal's reason
 */
export async function checkScreenshots(
  visits: readonly PlannedVisit[],
  baselines: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot[]> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const checked = new Map<string, CheckedScreenshot>();
  // Each waiting screenshot keeps both images in memory.
  const comparing = new Backlog(work.concurrency * 2);
  const pages = new Slots(work.concurrency);
  const started = new Set<string>();
  const fail = (error: unknown) => failing.abort(error);
  const start = (visit: PlannedVisit) => {
    if (!started.has(visit.route)) work.onEvent({ type: "started", route: visit.route });
    started.add(visit.route);
  };
  const compareAll = async (captured: CapturedShots) => {
    for (const [shot, capture] of captured) {
      const compare = async () => {
        const compared = await compareCapture(shot, capture, baselines, work, ending);
        const withNote = await withNotes(work.plugins, compared);
        checked.set(keyOf(shot), withNote);
        work.onEvent({ type: "done", shot: withNote });
      };
      await comparing.add(compare().catch(fail));
    }
  };
  const captureOwnPage = async (open: OpenVisit) => {
    if (!ending.aborted) await compareAll((await open.capture("ownPage")) ?? []);
  };
  /** Captures visits in one preview, and any free page captures the own pages that have to follow. */
  const captureTogether = async (part: readonly PlannedVisit[], ownPages: Promise<unknown>[]) => {
    for (const visit of part) {
      if (ending.aborted) return;
      start(visit);
      const open = await openVisit(visit, baselines, work, ending);
      const captured = await open.capture("preview");
      if (captured !== null) await compareAll(captured);
      // Before the next preview, because the image of this one waits in memory.
      else ownPages.push(pages.run(() => captureOwnPage(open).catch(fail), { isUrgent: true }));
    }
  };
  const capturePart = async (part: readonly PlannedVisit[]) => {
    const [alone, ...others] = part;
    const ownPages: Promise<unknown>[] = [];
    await pages.run(async () => {
      // A preview for one story costs as much as the story's own page, and proves less.
      if (others.length > 0) await captureTogether(part, ownPages).catch(fail);
      else if (alone !== undefined && !ending.aborted) {
        start(alone);
        await openVisit(alone, baselines, work, ending).then(captureOwnPage).catch(fail);
      }
    });
    await Promise.all(ownPages);
  };
  await Promise.all(shareVisits(visits, work.concurrency).map(capturePart));
  await comparing.done();
  ending.throwIfAborted();
  return screenshotsOf(visits).flatMap(shot => checked.get(keyOf(shot)) ?? []);
}

/** Returns the request to capture states of a visit. @throws CommandError `plugin_failed` */
export async function requestOf(
  visit: PlannedVisit,
  states: VisitState[],
  { plugins, logins, onCapture }: Pick<CheckWork, "plugins" | "logins" | "onCapture">,
): Promise<VisitRequest> {
  const { route, environment, viewport, height, url, site, ignoreSelectors, story } = visit;
  const page = { route, environment, viewport, url };
  const options = await settingsOf(plugins, page, visit.options);
  const { secrets, files, hars } = logins;
  return {
    ...{ url, site, viewport, height, environment: visit.settings, options, states, ignoreSelectors, story },
    ...{ ...logins.of(options), secrets, files, hars },
    ...pageCodeOf(plugins, { ...page, settings: options }, options.session),
    recordsRequests: onCapture !== undefined,
    keepsBodies: true,
  };
}

/** Prepares the capture of a visit's screenshots. */
async function openVisit(
  visit: PlannedVisit,
  { compared }: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<OpenVisit> {
  const { engine, folder } = work;
  const shots = screenshotsOf([visit]);
  const states = await Promise.all(shots.map(shot => stateOf(shot, compared.of(shot), folder)));
  const request = await requestOf(visit, states, work);
  const open = engine.visit(request, signal);
  return {
    capture: async part => {
      const captures = part === "preview" ? await open.captureInPreview() : await open.captureOwnPage();
      return captures && (await storeCaptures(visit, captures, { request, work, signal }));
    },
  };
}

async function storeCaptures(
  visit: PlannedVisit,
  captures: readonly (Capture | CaptureError)[],
  { request, work, signal }: { request: VisitRequest; work: CheckWork; signal: AbortSignal },
): Promise<CapturedShots> {
  const { plugins, baseUrl, folder, onCapture } = work;
  const { route, environment, viewport, url } = visit;
  const page = { route, environment, viewport, url };
  const shots = screenshotsOf([visit]);
  // A server that stopped is reported once, instead of for every later page.
  if (captures.some(capture => capture instanceof CaptureError && capture.code === "unreachable"))
    await requireReachable(baseUrl, signal);
  const captured: CapturedShots = [];
  for (const [index, capture] of captures.entries()) {
    const shot = shots[index];
    if (shot === undefined) continue;
    captured.push([shot, capture]);
    if (capture instanceof CaptureError) continue;
    onCapture?.(shot, capture);
    const { png, hash, width, height, stable, capsule, bodies } = capture;
    if (bodies) await folder.responses.store(bodies.unstored);
    if (capsule) await folder.capsules.store(shot, hash, capsule);
    const image = { png, hash, width, height, stable };
    await notifyCaptured(plugins, { ...page, state: shot.state, settings: request.options, ...image });
  }
  return captured;
}

async function compareCapture(
  planned: PlannedScreenshot,
  captured: Capture | CaptureError,
  baselines: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot> {
  if (captured instanceof CaptureError) return await storeFailure(planned, captured, work);
  const uncompared = capturedScreenshot(planned, captured);
  const { colorThreshold, ignoreRegions } = planned;
  const pair = { baseline: baselines.compared.of(planned), own: baselines.here?.of(planned) ?? null };
  const compared = await compareScreenshot(
    uncompared,
    captured,
    { ...pair, ref: baselines.compared.ref },
    work,
    { colorThreshold, ignoreRegions, signal },
  );
  return { ...compared, explanation: await explainScreenshot(compared, pair, work) };
}

/** Explains a change. Null if there is none, or if the capsule of one of the images is not on this machine. */
async function explainScreenshot(
  shot: CheckedScreenshot,
  { baseline, own }: { baseline: Baseline | null; own: Baseline | null },
  { engine, folder: { capsules }, changedFiles }: CheckWork,
): Promise<Explanation | null> {
  const compared = [baseline, own].find(one => one !== null && one.hash === shot.baseline?.hash);
  if (differingPixels(shot) === 0 || !compared?.capture || shot.hash === null) return null;
  const [before, after] = [await capsules.read(shot, compared.capture), await capsules.read(shot, shot.hash)];
  if (before === null || after === null) return null;
  // A damaged file of the cache must not fail a check.
  const explanation = await engine.explain(before, after, shot.regions).catch(() => null);
  if (explanation === null || explanation.causes.length === 0) return explanation;
  const commit = await changedFiles();
  return commit === null ? explanation : nameChangedFiles(explanation, commit);
}

/** Returns a state to capture. An unchanged page needs a capsule too if its baseline has none here. */
async function stateOf(
  shot: PlannedScreenshot,
  baseline: Baseline | null,
  { capsules }: CheckWork["folder"],
): Promise<VisitState> {
  const baselineHash = baseline?.capture ?? null;
  const isExplainable = baselineHash !== null && (await capsules.has(shot, baselineHash));
  if (!isExplainable) return { state: shot.state, baselineHash, capsules: "all" };
  const baselineCapsule = () => capsules.readKept(shot, baselineHash);
  return { state: shot.state, baselineHash, capsules: "changed", baselineCapsule };
}

/** Stores the page at its failure, if there is an image of it. */
async function storeFailure(
  planned: PlannedScreenshot,
  error: CaptureError,
  { folder }: CheckWork,
): Promise<CheckedScreenshot> {
  const failed = failedScreenshot(planned, error);
  if (error.screenshot === null) return failed;
  const { png, hash } = error.screenshot;
  const failure = await folder.store(planned, "failure", png, hash);
  return { ...failed, files: { ...failed.files, failure } };
}
