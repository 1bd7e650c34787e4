import type { CDPSession } from "playwright";
import { bounded } from "./bounded.ts";
import type { CaptureLimits } from "./capture-limits.ts";
import type { NetworkActivity } from "./network-activity.ts";

/** After this long without progress, the requests that hold the clock are looked at. */
const STALL_MS = 250;
/** With an endless request open, the clock goes on in steps of this length, and waits between them for other requests. */
const STEP_MS = 101;
/** What a page does with an answer, and what it then asks for, begins in so long of its own clock. */
const ANSWERED_MS = 23;
/** Tasks that a page may run without its clock moving on: a loop of messages would stop it forever. */
const MAX_STARVING_TASKS = 10_000;

/** The page's scripts never let its clock go on. */
export class BusyError extends Error {}

/**
 * The virtual clock of a page: timers, `Date` and `performance` of the browser process that renders it. It stands still
 * but for `advance`, and then jumps from timer to timer, so that seconds of the page take milliseconds. While a request
 * is open it waits, so that answers always arrive at the same moment of the page's life.
 */
export class VirtualTime {
  /** Until when open requests are waited for, ms of `performance.now()`. */
  patienceEndMs = Number.POSITIVE_INFINITY;
  readonly #session: CDPSession;
  readonly #network: NetworkActivity;
  readonly #limits: Pick<CaptureLimits, "busyMs" | "settleMs">;
  /** Resolves when the time that was granted last is over; null when it is. */
  #granted: PromiseWithResolvers<void> | null = null;
  /** True once a request is known to stay open for good. */
  #steps = false;
  /** Of the page that the clock is running for; null for none. */
  #life: object | null = null;

  constructor(
    session: CDPSession,
    network: NetworkActivity,
    limits: Pick<CaptureLimits, "busyMs" | "settleMs">,
  ) {
    this.#session = session;
    this.#network = network;
    this.#limits = limits;
    session.on("Emulation.virtualTimeBudgetExpired", () => {
      this.#granted?.resolve();
      this.#granted = null;
    });
  }

  /**
   * Stops the clock for a new page.
   * @param nowMs where the clock starts in a new browser process, ms since 1970
   */
  async pause(nowMs: number): Promise<void> {
    // What is left of the time of the page before would end the first of this one's.
    if (this.#granted !== null) {
      await this.#policy("advance");
      await this.#granted?.promise;
    }
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
    this.#granted?.resolve();
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
    const expired = this.#grant("pauseIfNetworkFetchesPending", durationMs);
    for (let busyMs = 0; ; ) {
      if (await endsWithin(expired, STALL_MS)) return;
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
    await this.#policy("advance");
    await this.#unlessBusy(expired);
    await this.#answered();
  }

  async #step(durationMs: number): Promise<void> {
    const life = this.#life;
    for (let leftMs = durationMs; leftMs > 0 && this.#life === life; leftMs -= STEP_MS) {
      await this.#unlessBusy(this.#grant("advance", Math.min(STEP_MS, leftMs)));
      await this.#answered();
    }
  }

  /** Waits for what is open, and lets the page hear of it, which it does only while its clock goes on. */
  async #answered(): Promise<void> {
    const life = this.#life;
    while (this.#network.open.length > 0 && this.#life === life) {
      await this.#network.quiet(this.patienceEndMs - performance.now());
      await this.#unlessBusy(this.#grant("advance", ANSWERED_MS));
    }
  }

  async #unlessBusy(expired: Promise<void>): Promise<void> {
    if (!(await endsWithin(expired, this.#limits.busyMs))) throw new BusyError();
  }

  async #grant(policy: "advance" | "pauseIfNetworkFetchesPending", budget: number): Promise<void> {
    this.#granted = Promise.withResolvers();
    const expired = this.#granted.promise;
    await this.#policy(policy, budget);
    await expired;
  }

  /** Time that was granted and is not over stays granted. */
  async #policy(policy: "advance" | "pauseIfNetworkFetchesPending", budget?: number): Promise<void> {
    await this.#session.send("Emulation.setVirtualTimePolicy", {
      policy,
      maxVirtualTimeTaskStarvationCount: MAX_STARVING_TASKS,
      ...(budget !== undefined && { budget }),
    });
  }
}

async function endsWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  const late = new Error("Not yet.");
  return await bounded(work, timeoutMs, () => late).then(
    () => true,
    (error: unknown) => {
      if (error !== late) throw error;
      return false;
    },
  );
}
