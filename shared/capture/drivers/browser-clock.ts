import type { CDPSession } from "playwright";
import { endsWithin } from "../../async.ts";

/** How long the browser's clock may take to the end of its budget before it is paused. */
const EXPIRE_MS = 10;
/** Tasks that a page may run without its clock advancing. Otherwise a loop of messages would stop the clock forever. */
const MAX_STARVING_TASKS = 10_000;

/**
 * How many budgets may have an end that the clock has not reached. The browser keeps them from page to page and stops
 * the clock at the end of each, which costs a message each time.
 */
const MAX_OPEN_BUDGETS = 4;

/** The clock is paused while a request is open. */
export const WHILE_QUIET = "pauseIfNetworkFetchesPending";
export type RunningPolicy = "advance" | typeof WHILE_QUIET;

/**
 * The virtual clock that the browser keeps for a page. It is paused, or runs to the end of a budget. It stops at the end
 * of each budget, even when a later one reaches further. So fewer budgets are better.
 */
export class BrowserClock {
  /** Called when the browser has stopped the clock at the end of a budget. */
  onExpired: () => void = () => {};
  readonly #openSession: () => Promise<CDPSession>;
  #session: CDPSession;
  /** Budgets that the browser has not confirmed yet. */
  #unconfirmedGrants = 0;
  /** Budgets of this session whose end the clock has not reached. */
  #openBudgets = 0;

  private constructor(openSession: () => Promise<CDPSession>, session: CDPSession) {
    this.#openSession = openSession;
    this.#session = session;
    this.#listen();
  }

  /** @param openSession opens a session of the page that only the clock uses */
  static async open(openSession: () => Promise<CDPSession>): Promise<BrowserClock> {
    return new BrowserClock(openSession, await openSession());
  }

  #listen(): void {
    const session = this.#session;
    session.on("Emulation.virtualTimeBudgetExpired", () => {
      if (session !== this.#session) return;
      this.#openBudgets--;
      this.onExpired();
    });
  }

  /**
   * Pauses the clock for a new page.
   * @param nowMs where the clock of its workers starts in a new browser process, ms since 1970
   */
  async restart(nowMs: number): Promise<void> {
    const paused = { policy: "pause", initialVirtualTime: nowMs / 1000 } as const;
    await this.#session.send("Emulation.setVirtualTimePolicy", paused);
    if (this.#openBudgets <= MAX_OPEN_BUDGETS) return;
    const former = this.#session;
    this.#session = await this.#openSession();
    this.#openBudgets = 0;
    this.#listen();
    await this.#session.send("Emulation.setVirtualTimePolicy", paused);
    // The browser forgets the budgets of a closed session, and keeps the clock paused. It would also forget a document
    // that waits for the clock, so this is only possible between pages.
    await former.detach();
  }

  /** Runs a script in the page. The clock may start after it is sent. */
  async evaluate(expression: string): Promise<unknown> {
    return await this.#session.send("Runtime.evaluate", { expression, awaitPromise: true });
  }

  /** Whether the browser has not confirmed each budget. A busy page responds late, and a closed one never. */
  get isGranting(): boolean {
    return this.#unconfirmedGrants > 0;
  }

  /** Lets the clock run for this long, ms. */
  async grant(policy: RunningPolicy, budgetMs: number): Promise<void> {
    this.#unconfirmedGrants++;
    this.#openBudgets++;
    try {
      await this.#session.send("Emulation.setVirtualTimePolicy", {
        policy,
        budget: budgetMs,
        maxVirtualTimeTaskStarvationCount: MAX_STARVING_TASKS,
      });
    } finally {
      this.#unconfirmedGrants--;
    }
  }

  /** Pauses the clock after its work. Without work, it reaches the end of its budget at once and stops by itself. */
  async hold(): Promise<void> {
    if (!this.isGranting) {
      const expired = new Promise<void>(resolve => {
        this.onExpired = resolve;
      });
      if (await endsWithin(expired, EXPIRE_MS)) return;
    }
    await this.pause();
  }

  async pause(): Promise<void> {
    await this.#session.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
  }
}
