import { traced } from "../tracing/work-scope.ts";
import type { BrowserPool } from "./browser/browser-pool.ts";
import type { Lease } from "./browser/lease.ts";
import { audienceOf, contextKey } from "./browser/page-environment.ts";
import { type Capture, CaptureError, type CaptureRequest, type VisitRequest } from "./capture-types.ts";
import { siteOf } from "./network/page-url.ts";
import { StateCaptures } from "./page/state-captures.ts";
import { visitPage } from "./page/visit-page.ts";
import { certificatesOf } from "./sessions/client-certificates.ts";
import { canLogIn, checkLogin, logIn } from "./sessions/log-in.ts";
import { SecretValues } from "./sessions/secret-values.ts";
import { SessionEnded } from "./sessions/session-end.ts";
import type { Login, LoginWork } from "./sessions/session-states.ts";
import { previewOf } from "./story/kept-preview.ts";
import type { StoryPart } from "./story/story-request.ts";
import { SESSION_ERRORS } from "./texts.ts";

/**
 * Maximum number of browsers for one visit. After a lost browser, the page gets a browser of its own, because the
 * neighboring page may be the cause or the next victim.
 */
const BROWSERS_PER_VISIT = 3;

/** A screenshot, and the id of how its browser draws; null in a pool that does not measure. */
export type PooledCapture = Capture & { rendering: string | null };

/** A visit's browsers, and its end. */
interface VisitContext {
  browsers: BrowserPool;
  isolationKey: string;
  request: VisitRequest;
  secrets: SecretValues;
  signal: AbortSignal;
}

/**
 * Captures one screenshot in a pool context for this key. Returns the error of a page that can't be captured, and does
 * not throw it. Returns null when the signal aborts.
 * @throws NoBrowserError
 */
export async function captureInPool(
  browsers: BrowserPool,
  isolationKey: string,
  { baselineHash, capsules, baselineCapsule, ...request }: CaptureRequest,
  signal: AbortSignal,
): Promise<PooledCapture | CaptureError | null> {
  const states = [
    { state: null, baselineHash, ...(capsules && { capsules }), ...(baselineCapsule && { baselineCapsule }) },
  ];
  const captures = await captureVisit(browsers, isolationKey, { ...request, states }, signal);
  return captures?.[0] ?? null;
}

/**
 * Captures the screenshots of one visit. Returns a capture, or the error of a screenshot that can't be captured, for
 * each state in order. Returns null when the signal aborts.
 * @throws NoBrowserError
 */
export async function captureVisit(
  browsers: BrowserPool,
  isolationKey: string,
  request: VisitRequest,
  signal: AbortSignal,
): Promise<(PooledCapture | CaptureError)[] | null> {
  return await new PooledVisit(browsers, isolationKey, request, signal).capture();
}

/**
 * A visit. One to a story can be captured in two parts: several stories follow each other in a preview, before their own
 * pages take its place.
 */
export class PooledVisit {
  readonly #context: VisitContext;
  readonly #states: readonly StateCaptures[];

  constructor(browsers: BrowserPool, isolationKey: string, request: VisitRequest, signal: AbortSignal) {
    const secrets = new SecretValues(request.secrets, signal);
    this.#context = { browsers, isolationKey, request, secrets, signal };
    this.#states = request.states.map(state => new StateCaptures(state, secrets));
  }

  /** Captures the whole visit. See `captureVisit`. @throws NoBrowserError */
  async capture(): Promise<(PooledCapture | CaptureError)[] | null> {
    return await this.#capture("both");
  }

  /**
   * Captures the story in a preview.
   * @returns null when the signal aborts, and if only the story's own page can tell how it looks
   * @throws NoBrowserError
   */
  async captureInPreview(): Promise<(PooledCapture | CaptureError)[] | null> {
    return await this.#capture("preview");
  }

  /** Captures the story on its own page, which confirms an image of the preview. @throws NoBrowserError */
  async captureOwnPage(): Promise<(PooledCapture | CaptureError)[] | null> {
    return await this.#capture("ownPage");
  }

  async #capture(part: StoryPart): Promise<(PooledCapture | CaptureError)[] | null> {
    const { browsers, request, secrets, signal } = this.#context;
    const states = [...this.#states];
    let rendering: string | null = null;
    try {
      rendering = await visitInSession(this.#context, async login =>
        inBrowser(this.#context, { isFresh: request.isFresh ?? false, part }, async lease => {
          await visitPage(lease, { request, part, states, secrets, login }, signal).catch(
            async (error: unknown) => {
              // States that are done keep their captures.
              rendering = await browsers.renderingOf(lease).catch(() => null);
              throw error;
            },
          );
          if (part === "preview") for (const state of states) state.keepFrom(lease);
          return await browsers.renderingOf(lease);
        }),
      );
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof CaptureError)) throw error;
      return states.map(({ outcome }) => withRendering(outcome ?? error, rendering));
    }
    if (part === "preview" && states.some(({ outcome }) => outcome === null)) return null;
    return states.map(({ outcome }) => {
      if (outcome === null) throw new Error("A state of the visit has no step that captures it.");
      return withRendering(outcome, rendering);
    });
  }
}

function withRendering(
  outcome: Capture | CaptureError,
  rendering: string | null,
): PooledCapture | CaptureError {
  return outcome instanceof CaptureError ? outcome : { ...outcome, rendering };
}

/**
 * Visits a page with the login of its session; null without one. If the application no longer accepts the login, the
 * visit is repeated once with a new login.
 * @throws CaptureError `session_failed`, and errors of the visit
 */
async function visitInSession<T>(
  context: VisitContext,
  visit: (login: Login | null) => Promise<T>,
): Promise<T> {
  const { session: name } = context.request.options;
  if (name === undefined) return await visit(null);
  const { sessions } = context.browsers;
  const { key, ...work } = loginOf(context, name);
  let login = await sessions.login(key, work);
  for (let hasRenewed = false; ; hasRenewed = true) {
    try {
      const result = await visit(login);
      sessions.prove(login);
      return result;
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
      const why = hasRenewed ? SESSION_ERRORS.endedAgain : await whyNotRenewed(context, login, work, error);
      const renewed = why === null ? await sessions.renew(key, login, work) : login;
      if (renewed === login) {
        const message = (why ?? SESSION_ERRORS.endedAgain)(name, error.message);
        const failure = context.secrets.maskError(new CaptureError("session_failed", message));
        const { diagnostics, screenshot, steps } = error;
        throw Object.assign(failure, { diagnostics, screenshot, steps });
      }
      login = renewed;
    }
  }
}

/** Returns the text for a login that must not be renewed; null if a new one may help. */
async function whyNotRenewed(
  { request }: VisitContext,
  login: Login,
  work: LoginWork,
  ended: SessionEnded,
): Promise<((session: string, what: string) => string) | null> {
  if (!canLogIn(request)) return SESSION_ERRORS.notRenewable;
  // The user of the session may lack the right to open this page.
  if (ended.status !== null && (await work.isValid(login))) return SESSION_ERRORS.notAllowed;
  return null;
}

/** Returns how to log in to a session, and the key of its login. @throws CaptureError `session_failed` */
function loginOf(context: VisitContext, name: string): LoginWork & { key: string } {
  const { isolationKey, request, secrets, signal } = context;
  const { session, storageState, environment = {} } = request;
  if (session === undefined) throw new CaptureError("session_failed", SESSION_ERRORS.unknown(name));
  if (session.storageState !== undefined && storageState === undefined)
    throw new CaptureError("session_failed", SESSION_ERRORS.noFile(name));
  const login = { request, secrets };
  return {
    key: JSON.stringify([
      isolationKey,
      name,
      session,
      storageState,
      siteOf(request),
      contextKey(environment),
    ]),
    logIn: async () => {
      const work = (lease: Lease) => logIn(lease, login, signal);
      const attempt = () =>
        secrets.withCodes(session, () => inBrowser(context, { isLogin: true }, work).catch(asFailure));
      const outcome = await attempt();
      // Another process may have used the same one-time code.
      return outcome instanceof CaptureError && secrets.hasUsedCodes ? await attempt() : outcome;
    },
    isValid: async known => {
      if (session.expect === undefined) return null;
      const check = (lease: Lease) => checkLogin(lease, login, known, signal);
      return (await inBrowser(context, {}, check).catch(asFailure)) === undefined;
    },
  };
}

/** Returns the error of a login that failed. Other errors say nothing about the login. */
function asFailure(error: unknown): CaptureError {
  if (error instanceof CaptureError && !error.retryable && error.code !== "tunnel_closed") return error;
  throw error;
}

/** Runs work in a leased context. After a lost browser, it runs again in another one. */
async function inBrowser<T>(
  { browsers, isolationKey, request, secrets, signal }: VisitContext,
  {
    isFresh = false,
    isLogin = false,
    part = "both",
  }: { isFresh?: boolean; isLogin?: boolean; part?: StoryPart },
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const { environment = {}, tunnel, archive } = request;
  // Own pages leave the previews to the stories that wait for them.
  const preview = part === "ownPage" ? null : previewOf(request);
  const certificates = await certificatesOf(request, secrets);
  const ofPages = audienceOf(request.options);
  // Before the login, the site shows its pages as to everybody.
  const audience = isLogin ? `login ${ofPages}` : ofPages;
  for (let browser = 1; ; browser++) {
    try {
      const lease = await traced("browser open", () =>
        browsers.lease(isolationKey, {
          ...{ environment, certificates, audience, tunnel, archive, alone: browser > 1, isFresh, signal },
          preview,
        }),
      );
      try {
        return await work(lease);
      } finally {
        await lease.release();
      }
    } catch (error) {
      const isLost = error instanceof CaptureError && error.retryable;
      if (!isLost || signal.aborted || browser === BROWSERS_PER_VISIT) throw error;
    }
  }
}
