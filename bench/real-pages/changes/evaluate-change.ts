import type { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import { captureInPool } from "../../../shared/capture/capture-in-pool.ts";
import { type Capture, CaptureError } from "../../../shared/capture/capture-types.ts";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import { differingPixels } from "../../../shared/compare/comparison.ts";
import { nameOf, type PlannedCapture } from "../corpus/plan-captures.ts";
import type { CorpusServer } from "../corpus/serve-corpus.ts";
import { type ImageFolder, keepImages } from "../image-folder.ts";
import type { BarePage } from "./bare-page.ts";
import type { ChangeOutcome } from "./change-outcome.ts";
import { changingScript, listingScript } from "./change-script.ts";
import { greatestStep } from "./greatest-step.ts";
import type { ChangeKind, PageChange } from "./page-change.ts";

/** A change to draw on a page: the first of these kinds that the page allows. */
export interface Trial {
  planned: PlannedCapture;
  kinds: ChangeKind[];
  /** Draws, 0–1. */
  draw: number;
  secondDraw: number;
}

/** Evaluates one trial at a time. It has its own server, so that it can change the served pages. */
export interface Station {
  server: CorpusServer;
  page: BarePage;
  pool: BrowserPool;
  isolationKey: string;
  images: ImageFolder;
  /** Baselines' hashes by capture name, of all stations. */
  baselines: Map<string, string>;
  keep: string | null;
}

/** Makes one change, and checks whether it is visible and whether a capture of the changed page shows it. */
export async function evaluateChange(trial: Trial, station: Station): Promise<ChangeOutcome> {
  const { planned } = trial;
  let kind: ChangeKind | null = null;
  const notEvaluated = (reason: string): ChangeOutcome => ({ planned, kind, state: "not judged", reason });
  try {
    const baseline = await baselineOf(planned, station);
    const { server, page } = station;
    server.appendToPages(listingScript());
    await page.freeze(`${server.url}/${planned.page}`, planned.width);
    const change = await chooseFirst(page, trial);
    if (change === null) return notEvaluated("no element of the page fits");
    kind = change.kind;
    const before = await page.screenshot();
    if (!before.equals(await page.screenshot())) return notEvaluated("the page does not keep still");
    if (!(await page.apply(change))) return notEvaluated("the element is gone");
    const after = await page.screenshot();
    if (before.equals(after)) return { planned, kind, state: "invisible" };

    server.appendToPages(changingScript(change));
    server.drainReports();
    const current = await capture(planned, station, baseline.hash);
    if (!server.drainReports().includes("true"))
      return notEvaluated("the change was not made in the capture");
    const foundPixels = differingPixels(await compareScreenshots(baseline.png, current.png));
    const truthPixels = differingPixels(await compareScreenshots(before, after));
    if (foundPixels === 0)
      await keepImages(station.keep, `miss ${kind} ${nameOf(planned)}`, {
        before,
        after,
        baseline: baseline.png,
        current: current.png,
      });
    const state = foundPixels > 0 ? "found" : "missed";
    const truthStep = await greatestStep(before, after);
    return { planned, kind, state, selector: change.selector, truthStep, truthPixels, foundPixels };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return notEvaluated(error.message.split("\n")[0] ?? "");
  } finally {
    station.server.appendToPages(null);
  }
}

async function chooseFirst(page: BarePage, { kinds, draw, secondDraw }: Trial): Promise<PageChange | null> {
  for (const kind of kinds) {
    const change = await page.choose(kind, draw, secondDraw);
    if (change !== null) return change;
  }
  return null;
}

/** Captures the unchanged page, once for all stations. */
async function baselineOf(planned: PlannedCapture, station: Station): Promise<{ hash: string; png: Buffer }> {
  const name = nameOf(planned);
  const hash = station.baselines.get(name);
  if (hash !== undefined) return { hash, png: await station.images.read(name) };
  const captured = await capture(planned, station, null);
  await station.images.write(name, captured.png);
  station.baselines.set(name, captured.hash);
  return captured;
}

/** @throws CaptureError when the page can't be captured */
async function capture(
  { page, width }: PlannedCapture,
  { server, pool, isolationKey }: Station,
  baselineHash: string | null,
): Promise<Capture> {
  const request = { url: `${server.url}/${page}`, viewport: width, baselineHash, options: {} };
  const captured = await captureInPool(pool, isolationKey, request, new AbortController().signal);
  if (captured === null || captured instanceof CaptureError)
    throw captured ?? new Error("The capture was aborted.");
  return captured;
}
