import type { Lease } from "../browser/lease.ts";
import { type Capture, CaptureError, type CaptureRequest } from "../capture-types.ts";
import { applyNetworkRules } from "../network/network-rules.ts";
import { sendOriginHeaders } from "../network/origin-headers.ts";
import { NAME_TEXTS } from "../texts.ts";
import { changedRegions } from "./changed-regions.ts";
import { freeze } from "./freeze.ts";
import { boxesBetween, nameMoving, resizedBoxes } from "./name-moving.ts";
import { openPage } from "./open-page.ts";
import { settle } from "./settle.ts";
import { type PageImage, takeScreenshot } from "./take-screenshot.ts";
import { withinBounds } from "./within-bounds.ts";

/**
 * Maximum number of loads. A page that differs from its baseline is loaded again until two loads in a row look the
 * same.
 */
const MAX_LOADS = 4;
/** The widest viewport that a run can have. Wider pages are cut. */
const MAX_WIDTH_PX = 3840;

/**
 * Captures one full-page screenshot in four steps: load, settle, freeze, capture. A second load confirms a screenshot
 * that differs from the baseline. An aborted signal ends the capture at once, with the signal's reason.
 * @throws CaptureError that tells the page's owner what to do
 */
export async function capture(lease: Lease, request: CaptureRequest, signal?: AbortSignal): Promise<Capture> {
  lease.browser.pages++;
  const timings = new Timings();
  return await withinBounds(lease, () => captureWithRules(lease, request, timings), signal);
}

async function captureWithRules(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Capture> {
  const { session } = lease;
  const { network = [], headers = {} } = request.options;
  // The previous page must not run under the rules of this one.
  await timings.of("prepare", () => lease.prepare(request));
  const rules = await applyNetworkRules(lease, network);
  const removeHeaders = await sendOriginHeaders(session, request.url, headers);
  try {
    // When not all requests were matched, every other failure follows from that.
    return await captureUntilStable(lease, request, timings).finally(() => rules.verify());
  } finally {
    // A closed page has no rules left to remove, and only the first error matters.
    await Promise.all([rules.remove(), removeHeaders()]).catch(() => {});
  }
}

async function captureUntilStable(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Capture> {
  const images: PageImage[] = [];
  const start = performance.now();
  // A slow page is not reloaded for its second screenshot: four loads would exceed the time limit.
  const mayReload = () => performance.now() - start < (lease.limits.captureMs / MAX_LOADS) * images.length;
  while (images.length < MAX_LOADS) {
    if (images.length === 0) await load(lease, request, timings);
    else if (mayReload() && !(await reload(lease, request, timings))) {
      return result(lease, images, timings, [NAME_TEXTS.secondLoad]);
    }
    const image = await captureFrozen(lease, request, timings);
    const isStable = image.hash === request.baselineHash || image.hash === images.at(-1)?.hash;
    images.push(image);
    if (isStable) return result(lease, images, timings, []);
  }
  return result(lease, images, timings, null);
}

/** @returns false when a page that loaded before can't be captured anymore */
async function reload(lease: Lease, request: CaptureRequest, timings: Timings): Promise<boolean> {
  await timings.of("prepare", () => lease.prepare(request));
  try {
    await load(lease, request, timings);
    return true;
  } catch (error) {
    // A lost browser says nothing about the page.
    if (!(error instanceof CaptureError) || error.retryable) throw error;
    lease.isUsable = false;
    return false;
  }
}

async function load(lease: Lease, request: CaptureRequest, timings: Timings): Promise<void> {
  await timings.of("load", () => openPage(lease, request.url));
  await timings.of("settle", () => settle(lease, request));
}

async function captureFrozen(lease: Lease, request: CaptureRequest, timings: Timings): Promise<PageImage> {
  for (;;) {
    const size = await timings.of("freeze", () => freeze(lease, request.options));
    if (size === null) {
      await timings.of("settle", () => settle(lease, request));
      continue;
    }
    const width = Math.min(size.width, Math.max(MAX_WIDTH_PX, request.viewport));
    const height = Math.min(size.height, lease.limits.maxHeightPx);
    const cutFromHeight = height < size.height ? size.height : null;
    return await timings.of("screenshot", () =>
      takeScreenshot(lease.session, { width, height, cutFromHeight }),
    );
  }
}

/** @param knownMoving what kept the page from being stable; null when comparing the attempts has to find it */
async function result(
  lease: Lease,
  images: PageImage[],
  timings: Timings,
  knownMoving: string[] | null,
): Promise<Capture> {
  const last = images.at(-1);
  if (last === undefined) throw new Error("No screenshot was taken.");
  const boxes = await timings.of("compareTakes", () => boxesBetween(images));
  const moving = knownMoving ?? (await timings.of("nameMoving", () => nameMoving(lease.page, images, boxes)));
  return {
    ...last,
    stable: moving.length === 0,
    attempts: images.length,
    moving,
    movingRegions: changedRegions([...boxes, ...resizedBoxes(images)]),
    missing: lease.network.missing.names(url => lease.proxy.refusal(url)),
    browser: lease.browser.version,
    timings: timings.ms,
  };
}

/** Measures time by step. A step that runs again adds to its time. */
export class Timings {
  readonly ms: Record<string, number> = {};

  async of<T>(step: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.ms[step] = (this.ms[step] ?? 0) + performance.now() - start;
    }
  }
}
