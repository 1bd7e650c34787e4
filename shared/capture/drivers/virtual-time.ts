import type { CDPSession } from "playwright";
import { endsWithin } from "../../async.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { NetworkActivity } from "../network/network-activity.ts";
import { runClock } from "../page/in-page/start-clock.ts";
import { isSupersededNavigation } from "../page/load-failures.ts";
import { BrowserClock, type RunningPolicy, WHILE_QUIET } from "./browser-clock.ts";
import { BusyError, type PageClock } from "./page-clock.ts";

/** After this long without progress, the requests that hold the clock are checked. */
const STALL_MS = 250;
/** After this long without progress, the browser's clock gets another budget. The time doubles for each further one. */
const REGRANT_MS = 100;
/**
 * While an endless request is open, the clock advances in steps of this length. Between them, it waits for other
 * requests.
 */
const STEP_MS = 101;
/** Time on the page's own clock in which the page handles a response and starts the next requests. */
const RESPONSE_MS = 23;
/** Step length while only the browser's clock advances. Frames of other origins live as long. */
const BROWSER_STEP_MS = 1;
/** Minimum time between two of them on the wall clock. */
const BROWSER_STEP_INTERVAL_MS = 10;

/**
 * How much more budget the browser's clock gets than the page's, because it gains 10 ms with each pause for the
 * network. The rest passes before the clock is paused. It is short, because a leap of days confuses features beside the
 * page, such as WebRTC.
 */
const SLACK_MS = 100;

/**
 * How much more budget a clock gets that stopped at the end of an earlier budget. The earlier budget still stops it in
 * time, and the end of this one lies beyond the page's life. With less, it would stop the next run halfway, and so on.
 */
const BEYOND_LIFE_MS = 10_000;

interface ClockLimits extends Pick<CaptureLimits, "busyMs" | "settleMs"> {
  /** Whether the page's scripts run. Otherwise only the browser's clock exists. */
  hasScripts: boolean;
}

/**
 * Controls the virtual clock of a page (see `startClock`). The clock is paused except during `advance`, which jumps
 * from timer to timer. So seconds of the page take milliseconds. While a request is open, the clock waits, so that
 * responses always arrive at the same moment of the page's life.
 */
export class VirtualTime implements PageClock {
  /** When waiting for open requests ends, ms of `performance.now()`. Requests that a rule delays are awaited longer. */
  requestDeadlineMs = Number.POSITIVE_INFINITY;
  readonly #clock: BrowserClock;
  readonly #network: NetworkActivity;
  readonly #limits: ClockLimits;
  /** Whether a request is known to stay open forever. */
  #isStepping = false;
  /** The page that the clock runs for; null for none. */
  #life: object | null = null;
  /** How far the browser's clock may advance in a run without another budget, ms. */
  #budgetMs = 0;
  /** How long the browser's clock may make no progress, ms. */
  #regrantMs = REGRANT_MS;

  private constructor(
    clock: BrowserClock,
    { network, limits }: { network: NetworkActivity; limits: ClockLimits },
  ) {
    this.#clock = clock;
    this.#network = network;
    this.#limits = limits;
  }

  /** @param openSession opens a session of the page that only the clock uses */
  static async start(
    openSession: () => Promise<CDPSession>,
    work: { network: NetworkActivity; limits: ClockLimits },
  ): Promise<VirtualTime> {
    return new VirtualTime(await BrowserClock.open(openSession), work);
  }

  /**
   * Pauses the clock for a new page.
   * @param nowMs where the clock of its workers starts in a new browser process, ms since 1970
   */
  async pause(nowMs: number): Promise<void> {
    this.requestDeadlineMs = Number.POSITIVE_INFINITY;
    this.#isStepping = false;
    this.#life = {};
    await this.#clock.restart(nowMs);
  }

  /** Stops everything that still waits for the clock. */
  stop(): void {
    this.#life = null;
  }

  get isRunning(): boolean {
    return this.#life !== null;
  }

  get #deadlineMs(): number {
    return this.#network.awaitedUntilMs(this.requestDeadlineMs, this.#limits.settleMs);
  }

  /**
   * Lets the page live for this long on its own clock, ms, plus the time that its requests take.
   * @throws BusyError
   */
  async advance(durationMs: number): Promise<void> {
    if (durationMs <= 0) return;
    if (!this.#limits.hasScripts) return await this.#advanceBudget(durationMs);
    if (this.#isStepping) return await this.#step(durationMs);
    const life = this.#life;
    const run = this.#run(durationMs, WHILE_QUIET);
    for (let busyMs = 0; ; ) {
      if (await this.#endsInTime(run, WHILE_QUIET, STALL_MS)) return await this.#clock.hold();
      if (this.#life !== life) return;
      const { open, pending } = this.#network;
      if (open.length > 0 && performance.now() < this.#deadlineMs) continue;
      if (pending > 0) break;
      busyMs += STALL_MS;
      if (busyMs >= this.#limits.busyMs && this.requestDeadlineMs < Number.POSITIVE_INFINITY)
        throw new BusyError();
    }
    this.#network.stopWaiting();
    this.#isStepping = true;
    // Requests from now on are awaited all the same.
    this.requestDeadlineMs = performance.now() + this.#limits.settleMs;
    await this.#clock.grant("advance", this.#budgetMs);
    await this.#unlessBusy(run);
    await this.#clock.hold();
    await this.#deliverResponses();
  }

  /**
   * Advances the browser's clock, but not the page's own, until work in the page ends or the time is over. Some browser
   * work for a page, such as the end of a video's seek, needs the clock.
   */
  async advanceBrowser(work: Promise<unknown>, timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (!(await endsWithin(work, BROWSER_STEP_INTERVAL_MS)) && performance.now() < end)
      await this.#clock.grant("advance", BROWSER_STEP_MS);
    await this.#clock.pause();
  }

  /** Advances the browser's clock of a page without scripts, in steps: with a long budget, it stops now and then. */
  async #advanceBudget(durationMs: number): Promise<void> {
    const life = this.#life;
    for (let leftMs = durationMs; leftMs > 0 && this.#life === life; leftMs -= STEP_MS)
      await this.#spendBudget(Math.min(STEP_MS, leftMs));
    this.#clock.onExpired = () => {};
  }

  async #spendBudget(budgetMs: number): Promise<void> {
    const life = this.#life;
    const { promise: expired, resolve } = Promise.withResolvers<void>();
    this.#clock.onExpired = resolve;
    await this.#clock.grant(WHILE_QUIET, budgetMs);
    for (let busyMs = 0; !(await endsWithin(expired, STALL_MS)) && this.#life === life; ) {
      const isAwaited = this.#network.open.length > 0 && performance.now() < this.#deadlineMs;
      if (isAwaited) continue;
      busyMs += STALL_MS;
      if (busyMs >= this.#limits.busyMs) throw new BusyError();
      this.#network.stopWaiting();
      await this.#clock.grant("advance", budgetMs);
    }
  }

  async #step(durationMs: number): Promise<void> {
    const life = this.#life;
    for (let leftMs = durationMs; leftMs > 0 && this.#life === life; leftMs -= STEP_MS) {
      await this.#stepOnce(Math.min(STEP_MS, leftMs));
      await this.#deliverResponses();
    }
  }

  /** Waits for open requests and delivers their responses, which the page receives only while its clock runs. */
  async #deliverResponses(): Promise<void> {
    const life = this.#life;
    while (this.#network.open.length > 0 && this.#life === life) {
      // In parts, because the deadline changes when the page has loaded.
      const leftMs = this.#deadlineMs - performance.now();
      if (leftMs > 0) await this.#network.quiet(Math.min(leftMs, STALL_MS));
      else this.#network.stopWaiting();
      if (this.#life !== life) return;
      // While a page loads, its load event may need the responses that have arrived.
      const isLoading = this.requestDeadlineMs === Number.POSITIVE_INFINITY;
      if (isLoading || this.#network.open.length === 0) await this.#stepOnce(RESPONSE_MS);
    }
  }

  async #stepOnce(durationMs: number): Promise<void> {
    await this.#unlessBusy(this.#run(durationMs, "advance"));
    await this.#clock.hold();
  }

  async #unlessBusy(run: Promise<void>): Promise<void> {
    if (!(await this.#endsInTime(run, "advance", this.#limits.busyMs))) throw new BusyError();
  }

  /**
   * Runs the page's clock. It ends at once when the page navigates to another document. The script is sent first, on
   * the same session. A clock that may advance but has no timer often misses one that is set afterwards.
   */
  async #run(durationMs: number, policy: RunningPolicy): Promise<void> {
    const expression = `(${runClock})(${durationMs})`;
    const run = this.#clock.evaluate(expression);
    this.#budgetMs = durationMs + SLACK_MS;
    this.#regrantMs = REGRANT_MS;
    await Promise.all([run, this.#clock.grant(policy, this.#budgetMs)]).catch((error: unknown) => {
      if (!isSupersededNavigation(error)) throw error;
    });
  }

  /** Returns whether the run ends in time. The browser sometimes stops its clock until it gets another budget. */
  async #endsInTime(run: Promise<void>, policy: RunningPolicy, timeoutMs: number): Promise<boolean> {
    const extendBudget = () => {
      // A busy page responds late, and a closed one never.
      if (this.#clock.isGranting) return;
      // While a page loads, pauses for the network may have used up the budget. Then nothing else stops the clock.
      const isLoading = this.requestDeadlineMs === Number.POSITIVE_INFINITY;
      this.#clock.grant(policy, this.#budgetMs + (isLoading ? 0 : BEYOND_LIFE_MS)).catch(() => {});
    };
    this.#clock.onExpired = extendBudget;
    try {
      const end = performance.now() + timeoutMs;
      for (let leftMs = timeoutMs; leftMs > 0; leftMs = end - performance.now()) {
        if (await endsWithin(run, Math.min(this.#regrantMs, leftMs))) return true;
        this.#regrantMs *= 2;
        extendBudget();
      }
    } finally {
      this.#clock.onExpired = () => {};
    }
    return false;
  }
}
