import { setTimeout as delay } from "node:timers/promises";
import { createInbox, type Msg, nanos, type Subscription } from "nats";
import type { NatsSession } from "./nats-connection.ts";

/** How long the server keeps a request for a job, ms. */
const EXPIRES_MS = 5_000;
/** The server says when that time is over; where it does not, there is no such consumer, of which it says nothing. */
const GRACE_MS = 1_500;
const WITHDRAW_TIMEOUT_MS = 1_000;
const NO_RESPONDERS = 503;
const CONFLICT = 409;

/** What came of a request for a job: a message, nothing for now, or word that there is no such consumer. */
export type Pulled = Msg | "nothing" | "missing";

/** Asks a pull consumer for one job at a time, for the duration of a session. */
export class PullInbox {
  readonly session: NatsSession;
  readonly #next: string;
  readonly #inbox: string;
  /** Whoever asked first gets what comes first: messages do not say which request they are for. */
  readonly #pulls = new Set<(pulled: Pulled) => void>();
  readonly #subscription: Subscription;

  /** @param onStray told of a message that nobody waits for any more */
  constructor(session: NatsSession, stream: string, consumer: string, onStray: (message: Msg) => void) {
    this.session = session;
    this.#inbox = createInbox(session.inboxPrefix);
    this.#next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
    this.#subscription = session.client.subscribe(this.#inbox, {
      callback: (error, message) => {
        if (error) this.#endAll();
        else this.#on(message, onStray);
      },
    });
    // A new session has a new inbox: the server has no use for requests of the old one.
    session.lost.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Waits for a job, for a bounded time. */
  pull(): Promise<Pulled> {
    if (this.session.lost.aborted || this.#subscription.isClosed()) return Promise.resolve("nothing");
    return new Promise(resolve => {
      const finish = (pulled: Pulled) => {
        clearTimeout(timer);
        this.#pulls.delete(finish);
        resolve(pulled);
      };
      const timer = setTimeout(finish, EXPIRES_MS + GRACE_MS, "missing");
      this.#pulls.add(finish);
      const request = JSON.stringify({ batch: 1, expires: nanos(EXPIRES_MS) });
      this.session.client.publish(this.#next, request, { reply: this.#inbox });
    });
  }

  /** Withdraws what was asked. What the server sent before it heard of that still comes to those who wait. */
  async withdraw(): Promise<void> {
    if (!this.session.lost.aborted) {
      const drained = this.#subscription.drain().catch(() => {});
      await Promise.race([drained, delay(WITHDRAW_TIMEOUT_MS, undefined, { ref: false })]);
    }
    this.#end();
  }

  #on(message: Msg, onStray: (message: Msg) => void): void {
    const [finish] = this.#pulls;
    const code = message.data.length === 0 ? (message.headers?.code ?? 0) : 0;
    if (code === 0 && !finish) onStray(message);
    else if (code === 0) finish?.(message);
    else finish?.(code === NO_RESPONDERS || isDeleted(message) ? "missing" : "nothing");
  }

  #end(): void {
    if (!this.#subscription.isClosed()) this.#subscription.unsubscribe();
    this.#endAll();
  }

  #endAll(): void {
    for (const finish of [...this.#pulls]) finish("nothing");
  }
}

function isDeleted({ headers }: Msg): boolean {
  return headers?.code === CONFLICT && /consumer deleted/i.test(headers.description);
}
