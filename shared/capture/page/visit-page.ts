import type { ScreenshotStep, Step } from "../../contracts/capture/steps.ts";
import type { CaptureStep } from "../../contracts/capture/timings.ts";
import type { Lease } from "../browser/lease.ts";
import type { CaptureFailure } from "../capture-failure.ts";
import { CaptureError, type VisitRequest } from "../capture-types.ts";
import { diagnosticsOf, shownError } from "../diagnostics/shown-error.ts";
import { siteOf } from "../network/page-url.ts";
import { type CapturedImage, captureImage } from "../screenshot/capture-image.ts";
import { captureFailure } from "../screenshot/failure-screenshot.ts";
import { screenshotOf, targetOf } from "../screenshot/screenshot-target.ts";
import type { SecretValues } from "../sessions/secret-values.ts";
import { findSessionEnd, isOutcome, type SessionEnded } from "../sessions/session-end.ts";
import type { Login } from "../sessions/session-states.ts";
import { describeStep } from "../steps/describe-step.ts";
import { refusedFromOf, runCode, runStep, type StepContext } from "../steps/run-step.ts";
import { awaitStory } from "../story/await-story.ts";
import { openWithArgs, showInPreview } from "../story/kept-preview.ts";
import { RequestedUrls } from "../story/requested-urls.ts";
import type { StoryPart, StoryRequest } from "../story/story-request.ts";
import { NAME_TEXTS } from "../texts.ts";
import { unfreeze } from "./freeze.ts";
import { LoadProgress } from "./load-progress.ts";
import { checkArchive, checkTunnel, openPage } from "./open-page.ts";
import { withPageRules } from "./page-rules.ts";
import { settle, settleBriefly } from "./settle.ts";
import { type StateCaptures, Timings } from "./state-captures.ts";
import { withinBounds } from "./within-bounds.ts";

/**
 * Maximum number of loads. A page that differs from its baseline is loaded again until two loads in a row look the
 * same.
 */
const MAX_LOADS = 4;
/** Failures that a look at the page explains. */
const HAS_SCREENSHOT: ReadonlySet<CaptureFailure> = new Set(["step_failed", "selector_missing"]);

/** A visit while it goes on. */
export interface Visit {
  request: VisitRequest;
  /** Default: both. Without a story, all are the same. */
  part?: StoryPart;
  /** In the order of the request. */
  states: StateCaptures[];
  secrets: SecretValues;
  /** Null for a page without a session. */
  login: Login | null;
}

/**
 * Captures the states of a page that are not done, all from the same load, in four steps each: settle, freeze, capture,
 * unfreeze. A second load confirms states that differ from their baselines. An aborted signal ends it at once, with the
 * signal's reason.
 * @throws CaptureError when the browser was lost; SessionEnded. Other errors are outcomes of states.
 */
export async function visitPage(lease: Lease, visit: Visit, signal?: AbortSignal): Promise<void> {
  await new PageVisit(lease, visit).capture(signal);
}

class PageVisit {
  readonly #lease: Lease;
  readonly #visit: Visit;
  readonly #timings = new Timings();
  readonly #context: StepContext;
  /** The steps of a load. The last one captures a state. */
  readonly #steps: readonly Step[];
  #load = 1;
  #progress = new LoadProgress();
  readonly #start = performance.now();

  constructor(lease: Lease, visit: Visit) {
    this.#lease = lease;
    this.#visit = visit;
    const { steps = [] } = visit.request.options;
    const hasScreenshot = steps.some(({ action }) => action === "screenshot");
    this.#steps = hasScreenshot ? steps : [...steps, { action: "screenshot" }];
    this.#context = { site: siteOf(visit.request), secrets: visit.secrets };
  }

  async capture(signal?: AbortSignal): Promise<void> {
    const { request, secrets } = this.#visit;
    if (this.#pending().length === 0) return;
    for (const state of this.#visit.states) state.restart(this.#lease.browser);
    this.#lease.browser.pages++;
    const { network } = this.#lease;
    const recorded = request.recordsRequests ? new RequestedUrls() : null;
    network.requested = request.story === undefined ? recorded : (network.requested ?? new RequestedUrls());
    try {
      const work = () => withPageRules(this.#lease, request, secrets, () => this.#captureUntilStable());
      const prepare = async () => (request.story === undefined ? await this.#prepare() : undefined);
      await withinBounds(this.#lease, () => prepare().then(work), signal);
    } catch (error) {
      if (!isOutcome(error)) throw error;
      await this.#endVisit(this.#progress.inStep(error, this.#lease.limits.captureMs));
    }
  }

  #pending(): StateCaptures[] {
    return this.#visit.states.filter(({ outcome }) => outcome === null);
  }

  // The previous page must not run under the rules of this one.
  async #prepare(): Promise<void> {
    const { request, login } = this.#visit;
    await this.#timings.of("prepare", () => this.#lease.prepare({ ...request, state: login?.state }));
  }

  async #captureUntilStable(): Promise<void> {
    const { part = "both", request } = this.#visit;
    if (request.story !== undefined && part !== "ownPage") {
      await this.#captureInPreview(request.story);
      if (part === "preview") return;
    }
    for (this.#load = 1; this.#load <= MAX_LOADS; this.#load++) {
      const pending = this.#pending();
      if (pending.length === 0) return;
      if (this.#load > 1 && !this.#mayReload()) {
        if (this.#visit.states.length > 1) break;
        // The page still shows its only state.
        await this.#captureState(screenshotOf(this.#steps, pending[0]?.state ?? null));
        continue;
      }
      if (this.#load > 1 || this.#visit.request.story !== undefined) await this.#prepare();
      await this.#runLoad().catch((error: unknown) => this.#endLoad(error));
    }
    const isSlow = this.#load <= MAX_LOADS;
    for (const state of this.#pending())
      await state.finish(this.#lease, isSlow ? [NAME_TEXTS.slowLoad] : null);
  }

  /**
   * Captures a story in the preview that the page shows, or in a new one. Later stories are only switched, but what an
   * earlier one left could show. So this capture only counts if it equals the baseline, or the story's own page.
   */
  async #captureInPreview(story: StoryRequest): Promise<void> {
    const [lease, { request }] = [this.#lease, this.#visit];
    this.#load = 0;
    try {
      const work = { timings: this.#timings, prepare: () => this.#prepare() };
      const isUnmixed = await showInPreview(lease, request, story, work);
      if (isUnmixed) await this.#captureState({ action: "screenshot" });
    } catch (error) {
      lease.preview = null;
      // The story's own page shows whether the story fails, too.
      if (error instanceof CaptureError && error.retryable) throw error;
    }
  }

  /** A slow page is not loaded again: all loads together would exceed the time limit. */
  #mayReload(): boolean {
    const loads = this.#visit.states.length > 1 ? this.#load : MAX_LOADS;
    return performance.now() - this.#start < (this.#lease.limits.captureMs / loads) * (this.#load - 1);
  }

  /** Loads the page, and runs its steps until the last state that is not done. */
  async #runLoad(): Promise<void> {
    const { request } = this.#visit;
    const lease = this.#lease;
    this.#progress = new LoadProgress();
    const { story } = request;
    if (story?.args) await this.#timings.of("load", () => openWithArgs(lease, request, story));
    else {
      await this.#inSession("load", () => openPage(lease, request.url));
      if (story !== undefined) await this.#timings.of("story", () => awaitStory(lease, story));
    }
    await this.#inSession("settle", () => settle(lease, request));
    if (request.environment?.offline) await lease.setOffline(true);
    for (const code of request.pageCode ?? []) await this.#inSession("steps", () => runCode(lease, code));
    const pending = new Set(this.#pending().map(({ state }) => state));
    const last = this.#steps.findLastIndex(
      step => step.action === "screenshot" && pending.has(step.name ?? null),
    );
    let isSettled = !this.#hasActed();
    for (const [index, step] of this.#steps.slice(0, last + 1).entries()) {
      const name = describeStep(step, index);
      if (step.action !== "screenshot") {
        this.#progress.start(step, name);
        await this.#inSession("steps", () => runStep(lease, { step, name }, this.#context));
        this.#progress.finish();
        isSettled = false;
      } else if (pending.has(step.name ?? null)) {
        if (!isSettled) await this.#settleAgain();
        isSettled = true;
        await this.#captureState(step);
        if (index < last) await this.#timings.of("unfreeze", () => unfreeze(lease));
      }
    }
  }

  /** Steps must not scroll the page through again, which could close what they opened. */
  async #settleAgain(): Promise<void> {
    const { request } = this.#visit;
    const last = this.#progress.lastAction();
    const refusedFrom = last && refusedFromOf(last);
    const work = () =>
      this.#hasActed() ? settleBriefly(this.#lease, request.url, refusedFrom) : settle(this.#lease, request);
    await this.#inSession("settle", work);
  }

  /** Returns whether something has acted on the page in this load, after it settled. */
  #hasActed(): boolean {
    return this.#progress.hasActed || (this.#visit.request.pageCode ?? []).length > 0;
  }

  /** Runs a step of the visit, and then checks that the session has not ended. @throws SessionEnded */
  async #inSession<T>(step: CaptureStep, work: () => Promise<T>): Promise<T> {
    const result = await this.#timings.of(step, work).catch(async (error: unknown) => {
      // A page that shows a login form fails in other ways, too.
      if (isOutcome(error)) await this.#requireSession();
      throw error;
    });
    await this.#requireSession();
    return result;
  }

  async #requireSession(): Promise<void> {
    const end = this.#findSessionEnd();
    if (end === null) return;
    const { secrets } = this.#visit;
    end.diagnostics = diagnosticsOf(this.#lease, secrets);
    end.steps = this.#progress.untilFailure();
    end.screenshot = await captureFailure(this.#lease, secrets);
    throw end;
  }

  #findSessionEnd(): SessionEnded | null {
    const { request, login } = this.#visit;
    if (login === null) return null;
    const last = this.#progress.lastAction();
    const cause = last ? describeStep(last, this.#steps.indexOf(last)) : null;
    const expectedStatus = last?.action === "goto" ? (last.status ?? null) : null;
    return findSessionEnd(this.#lease, { request, login }, { cause, expectedStatus });
  }

  async #captureState(step: ScreenshotStep): Promise<void> {
    const state = this.#visit.states.find(({ state }) => state === (step.name ?? null));
    try {
      const image = await this.#captureSettled(step);
      await checkTunnel(this.#lease, this.#visit.request.url);
      checkArchive(this.#lease);
      const diagnostics = diagnosticsOf(this.#lease, this.#visit.secrets);
      const steps = this.#progress.results;
      await state?.add(this.#lease, image, { load: this.#load, timings: this.#timings, diagnostics, steps });
    } catch (error) {
      // Other states don't need this one's element.
      if (!(error instanceof CaptureError) || error.code !== "selector_missing") throw error;
      if (state?.hasImage()) await state.finish(this.#lease, [NAME_TEXTS.secondLoad]);
      else if (state) state.outcome = await this.#shown(error);
    }
  }

  async #captureSettled(step: ScreenshotStep): Promise<CapturedImage> {
    const target = targetOf(step, this.#visit.request);
    for (;;) {
      const image = await this.#inSession("screenshot", () => captureImage(this.#lease, target));
      if (image !== null) return image;
      await this.#settleAgain();
    }
  }

  /**
   * Ends the states that a failed load did not capture. States that it captured can become stable in another load, and
   * those of earlier loads keep their images.
   */
  async #endLoad(error: unknown): Promise<void> {
    const pending = this.#pending();
    if (!isOutcome(error)) throw error;
    if (!pending.some(state => state.hasImage())) throw error;
    this.#lease.isUsable = false;
    const shown = await this.#shown(error);
    this.#progress.abandon();
    for (const state of pending) {
      if (!state.hasImage()) state.outcome = shown;
      else if (!state.isCapturedIn(this.#load)) await state.finish(this.#lease, [NAME_TEXTS.secondLoad]);
    }
  }

  /** Ends all states. Those that the last load captured keep their images. */
  async #endVisit(error: CaptureError): Promise<void> {
    const shown = await this.#shown(error);
    const pending = this.#pending();
    // An error after all captures, such as requests that were not matched, makes them wrong.
    if (pending.length === 0) for (const state of this.#visit.states) state.outcome = shown;
    for (const state of pending) {
      if (state.isCapturedIn(this.#load)) await state.finish(this.#lease, [NAME_TEXTS.secondLoad]);
      else state.outcome = shown;
    }
  }

  /** Returns the error as people may see it, with what happened in the page, and how the page looked. */
  async #shown(error: CaptureError): Promise<CaptureError> {
    const { secrets } = this.#visit;
    const shown = shownError(error, this.#lease, secrets);
    shown.steps = this.#progress.untilFailure();
    if (HAS_SCREENSHOT.has(error.code)) shown.screenshot = await captureFailure(this.#lease, secrets);
    return shown;
  }
}
