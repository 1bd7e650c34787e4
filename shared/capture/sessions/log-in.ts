import { withTimeout } from "../../async.ts";
import type { NetworkRule } from "../../contracts/capture/network-rule.ts";
import type { BrowserState } from "../browser/context-storage.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError, type VisitRequest } from "../capture-types.ts";
import { shownError } from "../diagnostics/shown-error.ts";
import { siteOf } from "../network/page-url.ts";
import { openPage } from "../page/open-page.ts";
import { withPageRules } from "../page/page-rules.ts";
import { settleBriefly } from "../page/settle.ts";
import { withinBounds } from "../page/within-bounds.ts";
import { captureFailure } from "../screenshot/failure-screenshot.ts";
import { describeCondition, describeStep } from "../steps/describe-step.ts";
import { withMovingClock } from "../steps/moving-clock.ts";
import { runCode, runCondition, runStep, urlOf } from "../steps/run-step.ts";
import { SESSION_ERRORS, STEP_NAMES } from "../texts.ts";
import type { SecretValues } from "./secret-values.ts";
import { placeOf } from "./session-end.ts";
import type { Login } from "./session-states.ts";

/** How much of a page's text an error repeats. */
const SHOWN_CHARS = 200;
/** Characters of a page that are read for that, with its spaces. */
const MAX_READ_CHARS = 5_000;
/** A page that does not respond says nothing. */
const TEXT_MS = 1_000;

/** Reading the storage takes a tenth of a second. */
const STATE_MS = 10_000;

/** A login to perform. */
export interface LoginRequest {
  /** The page that needs it first. */
  request: VisitRequest;
  secrets: SecretValues;
}

/**
 * Performs the login of a session.
 * @throws CaptureError `session_failed`, or `browser_lost`
 */
export async function logIn(lease: Lease, login: LoginRequest, signal: AbortSignal): Promise<Login> {
  const { request, secrets } = login;
  const { session = {}, loginCode = [] } = request;
  const { steps = [], expect, url = "/" } = session;
  const site = siteOf(request);
  const first = await urlOf(url, { site, secrets });
  const state = await initialState(login);
  // Nothing has to be typed, and nothing proves that the cookies work.
  if (!canLogIn(request) && expect === undefined) return { state, url: first, beganAt: null };
  return await inSession(lease, login, { url: first, state }, signal, async () => {
    const began = lease.page.url();
    for (const code of loginCode) await runCode(lease, code);
    for (const [index, step] of steps.entries()) {
      if (step.action === "screenshot") continue;
      await runStep(lease, { step, name: describeStep(step, index) }, { site, secrets });
    }
    await settleBriefly(lease, lease.page.url());
    if (expect) await runCondition(lease, expect, STEP_NAMES.expect(describeCondition(expect)));
    const { value } = await withMovingClock(lease, STATE_MS, () => lease.readState());
    const ended = lease.page.url();
    const isElsewhere = canLogIn(request) && placeOf(ended) !== placeOf(began);
    return { state: value, url: ended, beganAt: isElsewhere ? placeOf(began) : null };
  });
}

/** Returns whether a session has steps or code, so that logging in again may renew it. */
export function canLogIn({ session, loginCode = [] }: Pick<VisitRequest, "session" | "loginCode">): boolean {
  return (session?.steps ?? []).length > 0 || loginCode.length > 0;
}

/** Checks that a login still meets its `expect`. @throws CaptureError as `logIn` */
export async function checkLogin(
  lease: Lease,
  login: LoginRequest,
  { url, state }: Pick<Login, "url" | "state">,
  signal: AbortSignal,
): Promise<void> {
  const { expect } = login.request.session ?? {};
  if (expect === undefined) return;
  await inSession(lease, login, { url, state }, signal, () =>
    runCondition(lease, expect, STEP_NAMES.expect(describeCondition(expect))),
  );
}

async function inSession<T>(
  lease: Lease,
  { request, secrets }: LoginRequest,
  { url, state }: Pick<Login, "url" | "state">,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  // Servers refuse an id that an earlier login used, and page scripts may draw it.
  const options = { ...request.options, random: "real" as const, network: withoutHars(request.options) };
  const whole = async () => {
    await lease.prepare({ ...request, url, options, state });
    // The login may be on another site.
    const site = siteOf(request);
    return await withPageRules(lease, { ...request, url, site, options }, secrets, async () => {
      await openPage(lease, url);
      await settleBriefly(lease, url);
      return await work();
    }).catch(async (error: unknown) => {
      if (!(error instanceof CaptureError) || error.retryable) throw error;
      throw new CaptureError(error.code, error.message + (await textOf(lease)));
    });
  };
  try {
    return await withinBounds(lease, whole, signal);
  } catch (error) {
    if (!(error instanceof CaptureError) || error.retryable) throw error;
    const name = request.options.session ?? "";
    const failure = new CaptureError("session_failed", SESSION_ERRORS.failed(name, error.message));
    const shown = shownError(failure, lease, secrets);
    shown.screenshot = await captureFailure(lease, secrets);
    throw shown;
  }
}

/** A login needs its server. Its requests hold secrets, so they are not recorded either. */
function withoutHars({ network = [] }: VisitRequest["options"]): NetworkRule[] {
  return network.filter(({ action }) => action !== "har");
}

/** Returns what a page says, for an error. */
async function textOf({ page }: Lease): Promise<string> {
  const read = page.evaluate(max => (document.body?.innerText ?? "").slice(0, max), MAX_READ_CHARS);
  const text = await withTimeout(read, TEXT_MS, () => new Error("The page is not responding.")).catch(
    () => "",
  );
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  return SESSION_ERRORS.says(line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line);
}

async function initialState({ request, secrets }: LoginRequest): Promise<BrowserState> {
  const { session = {}, storageState } = request;
  const { hostname, protocol } = new URL(siteOf(request));
  const cookies = (session.cookies ?? []).map(async ({ name, value, domain, path }) => ({
    name,
    value: await secrets.resolve(value),
    domain: domain ?? hostname,
    path: path ?? "/",
    expires: -1,
    httpOnly: false,
    secure: protocol === "https:",
    sameSite: "Lax" as const,
  }));
  const given = storageState ?? { cookies: [], origins: [] };
  return { cookies: [...given.cookies, ...(await Promise.all(cookies))], origins: given.origins };
}
