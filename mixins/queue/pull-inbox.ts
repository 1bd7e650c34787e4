import { setTimeout as delay } from "node:timers/promises";
import { createInbox, type Msg, nanos, type Subscription } from "nats";
import type { NatsSession } from "./nats-connection.ts";

/** How long the server keeps a request for a job. */
const EXPIRES_MS = 5_000;
/** The server reports when that time is over. Silence after it means that the consumer doesn't exist. */
const GRACE_MS = 1_500;
const WITHDRAW_TIMEOUT_MS = 1_000;
const NO_RESPONDERS = 503;
const CONFLICT = 409;

/** The result of a request for a job: a message, nothing for now, or a missing consumer. */
export type Pulled = Msg | "nothing" | "missing";

/** Requests jobs from a pull consumer one by one, during a session. */
export class PullInbox {
  readonly session: NatsSession;
  readonly #next: string;
  readonly #inbox: string;
  /** The first request gets the first message, because messages don't name their request. */
  readonly #pulls = new Set<(pulled: Pulled) => void>();
  readonly #subscription: Subscription;

  /** @param onStray called with a message that no request waits for anymore */
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
    // A new session has a new inbox. The server drops requests of the old one.
    session.lost.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Requests a job, and waits for a bounded time. */
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

  /** Withdraws the requests. Messages that the server sent before still reach their requests. */
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
