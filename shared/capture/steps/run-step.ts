import type { Request } from "playwright";
import type { Condition, Step } from "../../contracts/capture/steps.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError, type PageCode } from "../capture-types.ts";
import { urlIn } from "../network/page-url.ts";
import { advanceUntilLoaded, checkDocument, navigate } from "../page/open-page.ts";
import { advancePage } from "../page/page-work.ts";
import { shownUrl } from "../page/shown-url.ts";
import type { SecretValues } from "../sessions/secret-values.ts";
import { STEP_ERRORS } from "../texts.ts";
import { awaitCondition } from "./await-condition.ts";
import { withMovingClock } from "./moving-clock.ts";
import { performStep, resolveStep } from "./perform-step.ts";
import { explainCodeFailure, explainStepFailure } from "./step-failures.ts";

/** Time that a step may take by default. */
export const STEP_TIMEOUT_MS = 5_000;
/**
 * How long the page lives for a step, on its own clock. An action waits for the page's clock equally long in each load,
 * apart from slow ones, so that pages with a clock look the same.
 */
const STEP_LIFE_MS = 530;

/** Code of plugins takes as long as all steps of a form. */
const CODE_MS = 30_000;

/** Lowest statuses that a page must not have. */
const CLIENT_ERROR = 400;
const SERVER_ERROR = 500;
const ANY_STATUS = 1_000;

/** What steps depend on besides the page. */
export interface StepContext {
  /** URL of the site, to which paths belong. */
  site: string;
  secrets: SecretValues;
}

/** A step, and its name in texts. */
export interface NamedStep {
  step: Exclude<Step, { action: "screenshot" }>;
  name: string;
}

/** Performs a step and lets the page react. @throws CaptureError `step_failed`, which names the step */
export async function runStep(lease: Lease, { step, name }: NamedStep, context: StepContext): Promise<void> {
  const { network, limits } = lease;
  const timeoutMs = step.timeoutMs ?? (step.action === "goto" ? limits.navigationMs : STEP_TIMEOUT_MS);
  // What an earlier step requested may have arrived already.
  if (step.action !== "waitFor") network.startStep();
  lease.hasMovedMouse = true;
  await asStep(lease, { step, name, timeoutMs }, async () => {
    if (step.action === "goto") await goTo(lease, step, context, timeoutMs);
    await withNavigations(lease, refusedFromOf(step), async () => {
      if (step.action === "goto") return 0;
      if (step.action === "waitFor") return await awaitCondition(lease, step, timeoutMs).then(() => 0);
      const { secrets } = context;
      // A one-time code may have to wait for its period, which is not the page's time.
      const resolved = await resolveStep(step, secrets);
      const perform = (signal: AbortSignal) => performStep(lease, resolved, signal);
      const { livedMs } = await withMovingClock(lease, timeoutMs, perform).catch((error: unknown) => {
        secrets.giveBackCodes();
        throw error;
      });
      return livedMs;
    });
  });
}

/**
 * Returns the lowest status that a page must not have after a step. A form that refuses its input, for example with
 * status 422, can be the state to capture.
 */
export function refusedFromOf(step: Step): number {
  if (step.action !== "goto") return SERVER_ERROR;
  return step.status === undefined ? CLIENT_ERROR : ANY_STATUS;
}

/** @throws CaptureError */
async function goTo(
  lease: Lease,
  { url, status }: Extract<Step, { action: "goto" }>,
  context: StepContext,
  timeoutMs: number,
): Promise<void> {
  const target = await urlOf(url, context);
  if (status === undefined) return await navigate(lease, target, { timeoutMs });
  await navigate(lease, target, { timeoutMs, refusedFrom: ANY_STATUS });
  const returned = lease.network.response?.status() ?? 200;
  if (returned !== status)
    throw new CaptureError("http_status", STEP_ERRORS.otherStatus(shownUrl(target), returned, status));
}

/** Runs code of a plugin, and lets the page react. @throws CaptureError `step_failed`, which names the plugin */
export async function runCode(lease: Lease, { name, run }: PageCode): Promise<void> {
  lease.network.startStep();
  lease.hasMovedMouse = true;
  await named(
    lease,
    name,
    error => explainCodeFailure(error, CODE_MS / 1000),
    () =>
      withNavigations(
        lease,
        SERVER_ERROR,
        async () => (await withMovingClock(lease, CODE_MS, () => run(lease.page))).livedMs,
      ),
  );
}

/** Waits for a condition of the page. @throws CaptureError `step_failed`, which names the condition */
export async function runCondition(lease: Lease, condition: Condition, name: string): Promise<void> {
  const timeoutMs = condition.timeoutMs ?? STEP_TIMEOUT_MS;
  const step = { action: "waitFor" as const, ...condition };
  await asStep(lease, { step, name, timeoutMs }, () => awaitCondition(lease, condition, timeoutMs));
}

async function asStep(
  lease: Lease,
  { step, name, timeoutMs }: NamedStep & { timeoutMs: number },
  work: () => Promise<void>,
): Promise<void> {
  await named(lease, name, error => explainStepFailure(step, error, timeoutMs / 1000), work);
}

/** @param explain returns why the work failed, and what to do */
async function named(
  lease: Lease,
  name: string,
  explain: (error: unknown) => string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    // A lost browser says nothing about the step.
    if (lease.page.isClosed() || (error instanceof CaptureError && error.retryable)) throw error;
    // What still runs in the page must not meet the next page.
    if (!(error instanceof CaptureError && error.code === "http_status")) lease.isUsable = false;
    const why = error instanceof CaptureError ? error.message : explain(error);
    throw new CaptureError("step_failed", STEP_ERRORS.failed(name, why));
  }
}

/** Returns the URL of a `goto` step or of a login. Its path belongs to the site. */
export async function urlOf(url: string, { site, secrets }: StepContext): Promise<string> {
  return urlIn(site, await secrets.resolve(url));
}

/** @param act performs a step, and returns how long the page has lived meanwhile */
async function withNavigations(lease: Lease, refusedFrom: number, act: () => Promise<number>): Promise<void> {
  const { clock, network, limits, page } = lease;
  clock.requestDeadlineMs = performance.now() + limits.settleMs;
  const onRequest = (request: Request) => {
    // The clock waits for a new document longer than for other responses.
    if (request.isNavigationRequest()) clock.requestDeadlineMs = performance.now() + limits.navigationMs;
  };
  page.on("request", onRequest);
  try {
    let followed = network.navigations;
    const livedMs = await act();
    for (let isOver = false; !isOver; ) {
      if (network.navigations > followed) {
        followed = network.navigations;
        await follow(lease, refusedFrom);
      } else {
        await advancePage(lease, STEP_LIFE_MS - livedMs);
        isOver = network.navigations === followed;
      }
    }
  } finally {
    page.off("request", onRequest);
  }
}

/** Waits for the document that the page navigates to. @throws CaptureError */
async function follow(lease: Lease, refusedFrom: number): Promise<void> {
  const { network, limits, page } = lease;
  const end = performance.now() + limits.navigationMs;
  while (network.isNavigating) {
    if (performance.now() > end)
      throw new CaptureError("timeout", STEP_ERRORS.navigating(limits.navigationMs / 1000));
    await advancePage(lease, 1);
  }
  const url = shownUrl(network.document?.url() ?? page.url());
  await advanceUntilLoaded(lease, url, end);
  await checkDocument(lease, url, refusedFrom);
}
