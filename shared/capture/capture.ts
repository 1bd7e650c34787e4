import { setTimeout as sleep } from "node:timers/promises";
import type { Capture, CaptureRequest } from "./capture-types.ts";
import type { Lease } from "./lease.ts";
import { nameMoving } from "./moving.ts";
import { applyNetworkRules } from "./network-rules.ts";
import { openPage } from "./open-page.ts";
import { sendOriginHeaders } from "./origin-headers.ts";
import { freeze, repaint, settle } from "./stabilise.ts";
import { type Take, takeScreenshot } from "./take-screenshot.ts";
import { Timings } from "./timings.ts";
import { withinBounds } from "./within-bounds.ts";

/**
 * A page that is not its baseline is taken again after these times, until two takes agree: figures that count up, and
 * texts that write themselves, take some three seconds.
 */
const RETAKE_AFTER_MS = [0, 100, 250, 500, 1_000, 2_000, 250];
/** Wider pages are cut: the widest viewport that can be asked for. */
const MAX_WIDTH_PX = 3840;

/**
 * Takes one full-page screenshot of a page at rest, in the order of the design: load, settle, freeze, take.
 * A signal that aborts ends it at once, with the signal's reason.
 * @throws CaptureError that says what the page's owner can do about it.
 */
export async function capture(lease: Lease, request: CaptureRequest, signal?: AbortSignal): Promise<Capture> {
  lease.browser.pages++;
  const timings = new Timings();
  return await withinBounds(lease, () => captureWithRules(lease, request, timings), signal);
}

async function captureWithRules(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Capture> {
  const { page, session } = lease;
  const { network = [], headers = {} } = request.options;
  await timings.of("prepare", () => lease.prepare(request));
  const removeRules = await applyNetworkRules(page, network, request =>
    lease.network.missing.expect(request),
  );
  const removeHeaders = await sendOriginHeaders(session, request.url, headers);
  try {
    await timings.of("load", () => openPage(lease, request.url));
    await timings.of("settle", () => settle(lease, request));
    return await takeUntilStable(lease, request, timings);
  } finally {
    // A page that is gone has no rules left to remove, and the error that matters is the first.
    await Promise.all([removeRules(), removeHeaders()]).catch(() => {});
  }
}

async function takeUntilStable(lease: Lease, request: CaptureRequest, timings: Timings): Promise<Capture> {
  const takes: Take[] = [];
  for (const delayMs of [0, ...RETAKE_AFTER_MS]) {
    if (delayMs > 0) await timings.of("retakeWait", () => sleep(delayMs));
    const take = await takeFrozen(lease, request, timings, takes.length > 0);
    const stable = take.hash === request.baselineHash || take.hash === takes.at(-1)?.hash;
    takes.push(take);
    if (stable) return result(lease, takes, timings, []);
  }
  return result(lease, takes, timings, await timings.of("nameMoving", () => nameMoving(lease.page, takes)));
}

async function takeFrozen(
  lease: Lease,
  request: CaptureRequest,
  timings: Timings,
  anew: boolean,
): Promise<Take> {
  for (;;) {
    const painted = !anew || (await timings.of("repaint", () => repaint(lease)));
    const size = painted ? await timings.of("freeze", () => freeze(lease, request.options)) : null;
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

function result(lease: Lease, takes: Take[], timings: Timings, moving: string[]): Capture {
  const last = takes.at(-1);
  if (last === undefined) throw new Error("There is no take.");
  return {
    ...last,
    stable: moving.length === 0,
    attempts: takes.length,
    moving,
    missing: lease.network.missing.names(url => lease.proxy.refusal(url)),
    browser: lease.browser.version,
    timings: timings.ms,
  };
}
