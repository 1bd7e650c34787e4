import { withTimeout } from "../../async.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";
import { LOAD_ERRORS } from "../texts.ts";
import { explainLoadError, explainTimeout, isAborted, isSupersededNavigation } from "./load-failures.ts";
import { advancePage } from "./page-work.ts";
import { shownUrl } from "./shown-url.ts";

/** Browsers stop after 20 server redirects. The same limit applies to navigations by a page's scripts. */
const MAX_NAVIGATIONS = 20;

/** A page that navigated this often before the timeout is reported as endless. */
const MANY_NAVIGATIONS = 5;
/** Time on the page's own clock for what its scripts do right after the load. */
const FIRST_MS = 907;
/** A page that does not respond to a trivial script in this time is busy. */
const RESPONSE_TIMEOUT_MS = 500;

/** Goes to the page and waits for its load event. @throws CaptureError */
export async function openPage(lease: Lease, url: string): Promise<void> {
  lease.network.reset();
  lease.diagnostics.start();
  lease.proxy.resetBytes();
  await navigate(lease, url, { timeoutMs: lease.limits.navigationMs });
}

/**
 * Goes to a page, from the page that is open, and waits for its load event.
 * @param refusedFrom lowest status that the page must not return
 * @throws CaptureError
 */
export async function navigate(
  lease: Lease,
  url: string,
  { timeoutMs, refusedFrom }: { timeoutMs: number; refusedFrom?: number },
): Promise<void> {
  const { page, network } = lease;
  const target = URL.parse(url);
  const refusal = target === null ? LOAD_ERRORS.notAbsolute : lease.refusal(target);
  if (refusal !== null) throw new CaptureError("refused_address", LOAD_ERRORS.notAllowed(url, refusal));
  const end = performance.now() + timeoutMs;
  try {
    await page.goto(url, { waitUntil: "commit", timeout: timeoutMs });
  } catch (error) {
    // When the page's scripts start a download, Playwright reports that the navigation ended. The page itself goes on.
    const isStillOpen = isSupersededNavigation(error) || (network.committed && isAborted(error));
    if (!isStillOpen) throw await explain(lease, url, error);
  }
  await advanceUntilLoaded(lease, url, end);
  await checkDocument(lease, url, refusedFrom);
}

/**
 * Lets the page live its first moments, until the load event of the document that it has navigated to.
 * @throws CaptureError
 */
export async function advanceUntilLoaded(lease: Lease, url: string, end: number): Promise<void> {
  const { clock, limits } = lease;
  clock.requestDeadlineMs = Number.POSITIVE_INFINITY;
  let hasEnded = false;
  const loading = untilLoaded(lease, url, end)
    .then(() => {
      // A response that is still open then is no longer awaited. Otherwise one long poll would keep the page from being
      // scrolled.
      clock.requestDeadlineMs = performance.now() + limits.settleMs;
    })
    .finally(() => {
      hasEnded = true;
    });
  await Promise.all([loading, advance(lease, () => hasEnded)]);
}

/** @param isOver whether the load has ended, successfully or not */
async function advance(lease: Lease, hasEnded: () => boolean): Promise<void> {
  const { clock, page } = lease;
  const isComplete = () => document.readyState === "complete";
  do await advancePage(lease, FIRST_MS);
  while (
    // A page that is just navigating does not respond, but is not busy.
    clock.isRunning &&
    !(await page.evaluate(isComplete).catch(hasEnded))
  );
}

async function untilLoaded(lease: Lease, url: string, end: number): Promise<void> {
  const { page, network } = lease;
  for (;;) {
    if (network.navigations > MAX_NAVIGATIONS) throw keepsNavigating(lease, url);
    const { navigations } = network;
    try {
      await page.waitForLoadState("load", { timeout: Math.max(1, end - performance.now()) });
      if (network.navigations === navigations) return;
    } catch (error) {
      if (!isSupersededNavigation(error)) throw await explain(lease, url, error);
    }
  }
}

/**
 * Checks whether the loaded document is the requested page.
 * @param refusedFrom lowest status that it must not have
 * @throws CaptureError
 */
export async function checkDocument(lease: Lease, url: string, refusedFrom = 400): Promise<void> {
  const { network } = lease;
  const known = findProxyFailure(lease, url);
  if (known !== null) throw known;
  const status = network.response?.status() ?? 200;
  if (status < refusedFrom) return;
  const hasResponded = shownUrl(network.document?.url() ?? url, url);
  const advice =
    status === 401 || status === 403
      ? LOAD_ERRORS.checkLogin
      : status === 404
        ? LOAD_ERRORS.checkRoute
        : LOAD_ERRORS.openInBrowser;
  throw new CaptureError("http_status", LOAD_ERRORS.status(hasResponded, status, advice));
}

/** Returns what the proxy knows about the main document, or about the page as a whole. */
function findProxyFailure(lease: Lease, url: string): CaptureError | null {
  const { proxy, limits, network } = lease;
  const lost = findTunnelFailure(lease, url);
  if (lost !== null) return lost;
  if (proxy.exceeded) {
    const mebibytes = Math.round(limits.maxBytes / 1024 / 1024);
    return new CaptureError("too_large", LOAD_ERRORS.tooMuch(url, mebibytes));
  }
  const document = URL.parse(network.document?.url() ?? url);
  if (document === null) return null;
  const shown = shownUrl(document.href, url);
  const isRedirected = shown !== url;
  const refusal = proxy.refusal(document);
  if (refusal !== null) {
    const message = isRedirected
      ? LOAD_ERRORS.redirectNotAllowed(url, shown, refusal)
      : LOAD_ERRORS.notAllowed(url, refusal);
    return new CaptureError("refused_address", message);
  }
  // The host of a loaded document may refuse a later request. That is not the document's failure.
  const hasLoaded = network.response !== null && network.response.status() < 400;
  const failure = hasLoaded ? null : proxy.failure(document);
  if (failure === null) return null;
  const message = isRedirected
    ? LOAD_ERRORS.redirectFailed(url, shown, failure)
    : LOAD_ERRORS.failed(url, failure);
  return new CaptureError("unreachable", message);
}

/**
 * Checks whether every file of the archive could be read. Otherwise the page may lack some.
 * @throws Error so that the job is retried, because it is not the page's failure
 */
export function checkArchive({ proxy: { archive } }: Lease): void {
  if (archive?.failure) throw archive.failure;
}

/**
 * Checks whether the tunnel has been there since the page was opened. Otherwise the page may lack files of the local
 * application. @throws CaptureError
 */
export async function checkTunnel(lease: Lease, url: string): Promise<void> {
  await lease.proxy.tunnel.confirm();
  const lost = findTunnelFailure(lease, url);
  if (lost !== null) throw lost;
}

/** Returns the failure of a page whose tunnel was interrupted. It can be visited again if the tunnel came back. */
function findTunnelFailure({ proxy: { tunnel } }: Lease, url: string): CaptureError | null {
  if (tunnel.loss === null) return null;
  if (tunnel.loss === "gone") return new CaptureError("tunnel_closed", LOAD_ERRORS.tunnelGone(url));
  return new CaptureError("tunnel_closed", LOAD_ERRORS.tunnelCut(url), true);
}

async function explain(lease: Lease, url: string, error: unknown): Promise<unknown> {
  const known = findProxyFailure(lease, url);
  if (known !== null) return known;
  if (!(error instanceof Error && error.name === "TimeoutError")) return explainLoadError(url, error);
  const { page, network, limits } = lease;
  if (network.navigations > MANY_NAVIGATIONS) return keepsNavigating(lease, url);
  const hasResponded = network.response !== null;
  const probe = hasResponded ? page.evaluate(() => true) : Promise.resolve(true);
  return explainTimeout({
    url,
    seconds: limits.navigationMs / 1000,
    hasResponded,
    isBusy: !(await withTimeout(probe, RESPONSE_TIMEOUT_MS, () => new Error("busy")).catch(() => false)),
    document: network.document?.url() ?? url,
    open: network.open,
  });
}

function keepsNavigating({ network }: Lease, url: string): CaptureError {
  const { navigations, document } = network;
  const last = shownUrl(document?.url() ?? url, url);
  return new CaptureError("redirect_loop", LOAD_ERRORS.navigating(url, navigations, last));
}
