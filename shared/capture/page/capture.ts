import type { Lease } from "../browser/lease.ts";
import { type Capture, CaptureError, type CaptureRequest } from "../capture-types.ts";
import { applyNetworkRules } from "../network/network-rules.ts";
import { sendOriginHeaders } from "../network/origin-headers.ts";
import { NAME_TEXTS } from "../texts.ts";
import { changedRegions } from "./changed-regions.ts";
import { freeze } from "./freeze.ts";
import { boxesBetween, nameMoving, outgrownBoxes } from "./moving.ts";
import { openPage } from "./open-page.ts";
import { settle } from "./settle.ts";
import { type Take, takeScreenshot } from "./take-screenshot.ts";
import { Timings } from "./timings.ts";
import { withinBounds } from "./within-bounds.ts";

/** A page that is not its baseline is loaded again until two loads in a row look the same, but no more often than this. */
const MAX_LOADS = 4;
/** Wider pages are cut: the widest viewport that can be asked for. */
const MAX_WIDTH_PX = 3840;

/**
 * Captures one full-page screenshot in the order of the design: load, settle, freeze, take. Whatever is not the baseline
 * is confirmed by a second load of the page. A signal that aborts ends it at once, with the signal's reason.
 * @throws CaptureError that says what the page's owner can do about it.
 */
export async function capture(lease: Lease, request: CaptureRequest, signal?: AbortSignal): Promise<Capture> {
  lease.browser.pages++;
  const timings = new Timings();
  return await withinBounds(lease, () => captureWithRules(lease, request, timings), signal);
}

async function captureWithRules(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Capture> {
  const { session } = lease;
  const { network = [], headers = {} } = request.options;
  // The page before must not run under the rules of this one.
  await timings.of("prepare", () => lease.prepare(request));
  const rules = await applyNetworkRules(lease, network);
  const removeHeaders = await sendOriginHeaders(session, request.url, headers);
  try {
    // Where not all requests were matched, what else went wrong with the page follows from that.
    return await captureUntilStable(lease, request, timings).finally(() => rules.verify());
  } finally {
    // A page that is gone has no rules left to remove, and the error that matters is the first.
    await Promise.all([rules.remove(), removeHeaders()]).catch(() => {});
  }
}

async function captureUntilStable(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Capture> {
  const takes: Take[] = [];
  const start = performance.now();
  // One that takes its time is taken twice as it stands: so many loads would not end within the bound.
  const mayReload = () => performance.now() - start < (lease.limits.captureMs / MAX_LOADS) * takes.length;
  while (takes.length < MAX_LOADS) {
    if (takes.length === 0) await load(lease, request, timings);
    else if (mayReload() && !(await reload(lease, request, timings))) {
      return result(lease, takes, timings, [NAME_TEXTS.secondLoad]);
    }
    const take = await takeFrozen(lease, request, timings);
    const isStable = take.hash === request.baselineHash || take.hash === takes.at(-1)?.hash;
    takes.push(take);
    if (isStable) return result(lease, takes, timings, []);
  }
  return result(lease, takes, timings, null);
}

/** @returns false when the page, which was there before, cannot be captured any more */
async function reload(lease: Lease, request: CaptureRequest, timings: Timings): Promise<boolean> {
  await timings.of("prepare", () => lease.prepare(request));
  try {
    await load(lease, request, timings);
    return true;
  } catch (error) {
    // A browser that went away says nothing about the page.
    if (!(error instanceof CaptureError) || error.retryable) throw error;
    lease.usable = false;
    return false;
  }
}

async function load(lease: Lease, request: CaptureRequest, timings: Timings): Promise<void> {
  await timings.of("load", () => openPage(lease, request.url));
  await timings.of("settle", () => settle(lease, request));
}

async function takeFrozen(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Take> {
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

/** @param knownMoving what kept the page from being stable; null where the takes have to tell */
async function result(
  lease: Lease,
  takes: Take[],
  timings: Timings,
  knownMoving: string[] | null,
): Promise<Capture> {
  const last = takes.at(-1);
  if (last === undefined) throw new Error("No screenshot was taken.");
  const boxes = await timings.of("compareTakes", () => boxesBetween(takes));
  const moving = knownMoving ?? (await timings.of("nameMoving", () => nameMoving(lease.page, takes, boxes)));
  return {
    ...last,
    stable: moving.length === 0,
    attempts: takes.length,
    moving,
    movingRegions: changedRegions([...boxes, ...outgrownBoxes(takes)]),
    missing: lease.network.missing.names(url => lease.proxy.refusal(url)),
    browser: lease.browser.version,
    timings: timings.ms,
  };
}
