import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { withTimeout } from "../../async.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { NetworkActivity } from "../network/network-activity.ts";
import { runClock } from "../page/in-page/start-clock.ts";
import { isSupersededNavigation } from "../page/load-failures.ts";
import { BusyError, type PageClock } from "./page-clock.ts";

/** Time on the page's own clock between two checks for open requests. */
const STEP_MS = 101;
/** Time on the page's own clock in which it handles a response and starts the next requests. */
const RESPONSE_MS = 23;
/** Time between two checks whether requests have ended. */
const POLL_INTERVAL_MS = 10;

interface ClockLimits extends Pick<CaptureLimits, "busyMs" | "settleMs"> {
  /** Whether the page's scripts run. Otherwise it has no clock of its own. */
  hasScripts: boolean;
  /** How much faster the page's clock runs than the wall clock. */
  pace: number;
}

/**
 * Controls the clock of a page (see `startClock`) without the browser's help. Between short steps of the clock, it
 * waits for open requests. A response can arrive one step earlier or later than in the previous load. Transitions and
 * animations by CSS, workers, and frames of other origins use the wall clock.
 */
export class PortableClock implements PageClock {
  requestDeadlineMs = Number.POSITIVE_INFINITY;
  readonly #page: Page;
  readonly #network: NetworkActivity;
  readonly #limits: ClockLimits;
  /** The page that the clock runs for; null for none. */
  #life: object | null = null;

  constructor(page: Page, network: NetworkActivity, limits: ClockLimits) {
    this.#page = page;
    this.#network = network;
    this.#limits = limits;
  }

  async pause(_nowMs: number): Promise<void> {
    this.requestDeadlineMs = Number.POSITIVE_INFINITY;
    this.#life = {};
  }

  stop(): void {
    this.#life = null;
  }

  get isRunning(): boolean {
    return this.#life !== null;
  }

  async advance(durationMs: number): Promise<void> {
    const life = this.#life;
    for (let leftMs = durationMs; leftMs > 0 && this.#life === life; leftMs -= STEP_MS) {
      await this.#step(Math.min(STEP_MS, leftMs));
      while ((await this.#awaitRequests()) && this.#life === life) await this.#step(RESPONSE_MS);
    }
  }

  async advanceBrowser(work: Promise<unknown>, timeoutMs: number): Promise<void> {
    await Promise.race([work, sleep(timeoutMs, undefined, { ref: false })]);
  }

  async #step(durationMs: number): Promise<void> {
    if (!this.#limits.hasScripts) return await sleep(durationMs / this.#limits.pace);
    const run = this.#page.evaluate(runClock, durationMs).catch((error: unknown) => {
      if (!isSupersededNavigation(error)) throw error;
    });
    await withTimeout(run, this.#limits.busyMs, () => new BusyError());
  }

  /** Waits until no request is open, or until the deadline. Returns whether it had to wait. */
  async #awaitRequests(): Promise<boolean> {
    const life = this.#life;
    const hasWaited = this.#network.open.length > 0;
    while (this.#network.open.length > 0 && this.#life === life) {
      if (performance.now() >= this.#deadlineMs) this.#network.stopWaiting();
      else await sleep(POLL_INTERVAL_MS);
    }
    return hasWaited;
  }

  get #deadlineMs(): number {
    return this.#network.awaitedUntilMs(this.requestDeadlineMs, this.#limits.settleMs);
  }
}
