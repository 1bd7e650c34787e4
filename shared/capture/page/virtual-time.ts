import type { CDPSession } from "playwright";
import type { CaptureLimits } from "../capture-limits.ts";
import type { NetworkActivity } from "../network/network-activity.ts";
import { bounded } from "./bounded.ts";
import { runClock } from "./in-page/run-clock.ts";
import { isSupersededNavigation } from "./load-failures.ts";

/** After this long without progress, the requests that hold the clock are looked at. */
const STALL_MS = 250;
/** After this long without progress the browser's clock is reminded, then after twice as long, and so on. */
const REMIND_MS = 100;
/** How long the browser's clock may take to the end of its budget before it is held. */
const EXPIRE_MS = 10;
/** With an endless request open, the clock goes on in steps of this length, and waits between them for other requests. */
const STEP_MS = 101;
/** What a page does with an answer, and what it then asks for, begins in so long of its own clock. */
const ANSWERED_MS = 23;
/** Tasks that a page may run without its clock moving on: a loop of messages would stop it forever. */
const MAX_STARVING_TASKS = 10_000;

/** While only the browser's clock goes on, it does so in steps of this length: frames of other origins live as long. */
const BROWSER_STEP_MS = 1;
/** The least time between two of them, of the wall's clock. */
const LOOK_MS = 10;

/**
 * The browser's clock gets so much more than the page's: it gains 10 ms with each pause for the network. What is left
 * when the page's time is over passes before the clock is held, so it is short: a leap of days confuses what runs beside
 * the page, such as WebRTC.
 */
const SLACK_MS = 100;

/**
 * A clock that stopped at the end of an earlier budget gets so much more: its own budget still stops it in time, and the
 * end of this one, which stays behind, lies beyond the page's life. Less would stop the next run halfway, and so on.
 */
const BEYOND_LIFE_MS = 10_000;

/** The clock stands still while a request is open. */
const WHILE_QUIET = "pauseIfNetworkFetchesPending";
type RunningPolicy = "advance" | typeof WHILE_QUIET;

/** The page's scripts never let its clock go on. */
export class BusyError extends Error {}

/**
 * The virtual clock of a page (see `startClock`). It stands still except for `advance`, and then jumps from timer to
 * timer, so that seconds of the page take milliseconds. While a request is open it waits, so that answers always arrive
 * at the same moment of the page's life.
 */
export class VirtualTime {
  /** Until when open requests are waited for, ms of `performance.now()`. */
  patienceEndMs = Number.POSITIVE_INFINITY;
  readonly #session: CDPSession;
  readonly #network: NetworkActivity;
  readonly #limits: Pick<CaptureLimits, "busyMs" | "settleMs">;
  /** True once a request is known to stay open for good. */
  #steps = false;
  /** Of the page that the clock is running for; null for none. */
  #life: object | null = null;
  /** How far the browser's clock may go on without being told again, ms. */
  #budgetMs = 0;
  /** Budgets that the browser has not answered for yet. */
  #granting = 0;
  /** How long the browser's clock may be silent, ms. */
  #remindMs = REMIND_MS;
  /** Called where the browser has stopped its clock at the end of a budget. */
  #onExpired: () => void = () => {};

  constructor(
    session: CDPSession,
    network: NetworkActivity,
    limits: Pick<CaptureLimits, "busyMs" | "settleMs">,
  ) {
    this.#session = session;
    this.#network = network;
    this.#limits = limits;
    // The clock stops at the end of each budget, also where a later one goes further: the fewer, the better.
    session.on("Emulation.virtualTimeBudgetExpired", () => this.#onExpired());
  }

  /**
   * Stops the clock for a new page.
   * @param nowMs where the clock of its workers starts in a new browser process, ms since 1970
   */
  async pause(nowMs: number): Promise<void> {
    this.patienceEndMs = Number.POSITIVE_INFINITY;
    this.#steps = false;
    this.#life = {};
    await this.#session.send("Emulation.setVirtualTimePolicy", {
      policy: "pause",
      initialVirtualTime: nowMs / 1000,
    });
  }

  /** Ends what still waits for the clock. */
  stop(): void {
    this.#life = null;
  }

  get isRunning(): boolean {
    return this.#life !== null;
  }

  /**
   * Lets the page live for a while, ms of its own clock, plus the time that it takes to answer its requests.
   * @throws BusyError
   */
  async advance(durationMs: number): Promise<void> {
    if (durationMs <= 0) return;
    if (this.#steps) return await this.#step(durationMs);
    const life = this.#life;
    const run = this.#run(durationMs, WHILE_QUIET);
    for (let busyMs = 0; ; ) {
      if (await this.#ends(run, WHILE_QUIET, STALL_MS)) return await this.#hold();
      if (this.#life !== life) return;
      const { open, pending } = this.#network;
      if (open.length > 0 && performance.now() < this.patienceEndMs) continue;
      if (pending > 0) break;
      busyMs += STALL_MS;
      if (busyMs >= this.#limits.busyMs && this.patienceEndMs < Number.POSITIVE_INFINITY)
        throw new BusyError();
    }
    this.#network.waitNoMore();
    this.#steps = true;
    // What the page asks for from now on is waited for all the same.
    this.patienceEndMs = performance.now() + this.#limits.settleMs;
    await this.#grant("advance");
    await this.#unlessBusy(run);
    await this.#hold();
    await this.#answered();
  }

  /**
   * Lets the browser's clock go on, and the page's own clock not, until work in the page is over, or the time is. Some of
   * what the browser does for a page, such as the end of a video's seek, waits for its clock.
   */
  async advanceBrowser(work: Promise<unknown>, timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    this.#budgetMs = BROWSER_STEP_MS;
    while (!(await endsWithin(work, LOOK_MS)) && performance.now() < end) await this.#grant("advance");
    await this.#session.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
  }

  async #step(durationMs: number): Promise<void> {
    const life = this.#life;
    for (let leftMs = durationMs; leftMs > 0 && this.#life === life; leftMs -= STEP_MS) {
      await this.#stepOnce(Math.min(STEP_MS, leftMs));
      await this.#answered();
    }
  }

  /** Waits for what is open, and lets the page hear of it, which it does only while its clock goes on. */
  async #answered(): Promise<void> {
    const life = this.#life;
    while (this.#network.open.length > 0 && this.#life === life) {
      await this.#network.quiet(this.patienceEndMs - performance.now());
      await this.#stepOnce(ANSWERED_MS);
    }
  }

  async #stepOnce(durationMs: number): Promise<void> {
    await this.#unlessBusy(this.#run(durationMs, "advance"));
    await this.#hold();
  }

  async #unlessBusy(run: Promise<void>): Promise<void> {
    if (!(await this.#ends(run, "advance", this.#limits.busyMs))) throw new BusyError();
  }

  /**
   * Ends at once where the page goes on to another document. The script comes first, on the same session: a clock that
   * may go on, but has no timer to go on to, often misses the one that is set afterwards.
   */
  async #run(durationMs: number, policy: RunningPolicy): Promise<void> {
    const expression = `(${runClock})(${durationMs})`;
    const run = this.#session.send("Runtime.evaluate", { expression, awaitPromise: true });
    this.#budgetMs = durationMs + SLACK_MS;
    this.#remindMs = REMIND_MS;
    await Promise.all([run, this.#grant(policy)]).catch((error: unknown) => {
      if (!isSupersededNavigation(error)) throw error;
    });
  }

  /** With nothing left to wait for, the browser's clock reaches the end of its budget at once, and stops by itself. */
  async #hold(): Promise<void> {
    if (this.#granting === 0) {
      const expired = new Promise<void>(resolve => {
        this.#onExpired = resolve;
      });
      if (await endsWithin(expired, EXPIRE_MS)) return;
    }
    await this.#session.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
  }

  async #grant(policy: RunningPolicy, budgetMs = this.#budgetMs): Promise<void> {
    this.#granting++;
    try {
      await this.#session.send("Emulation.setVirtualTimePolicy", {
        policy,
        budget: budgetMs,
        maxVirtualTimeTaskStarvationCount: MAX_STARVING_TASKS,
      });
    } finally {
      this.#granting--;
    }
  }

  /** Whether it ends in time. The browser sometimes lets its clock stand still until it gets another budget. */
  async #ends(run: Promise<void>, policy: RunningPolicy, timeoutMs: number): Promise<boolean> {
    const goOn = () => {
      // A page that is busy answers late, and one that is gone never.
      if (this.#granting > 0) return;
      // While a page loads, pauses for the network may have used up the budget: then nothing else stops the clock.
      const isLoading = this.patienceEndMs === Number.POSITIVE_INFINITY;
      this.#grant(policy, this.#budgetMs + (isLoading ? 0 : BEYOND_LIFE_MS)).catch(() => {});
    };
    this.#onExpired = goOn;
    try {
      const end = performance.now() + timeoutMs;
      for (let leftMs = timeoutMs; leftMs > 0; leftMs = end - performance.now()) {
        if (await endsWithin(run, Math.min(this.#remindMs, leftMs))) return true;
        this.#remindMs *= 2;
        goOn();
      }
    } finally {
      this.#onExpired = () => {};
    }
    return false;
  }
}

async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = new Error("Not yet.");
  return await bounded(work, timeoutMs, () => late).then(
    () => true,
    (error: unknown) => {
      if (error !== late) throw error;
      return false;
    },
  );
}
