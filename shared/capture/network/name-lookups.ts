import { bounded } from "../page/bounded.ts";
import { REQUEST_FAILURES } from "../texts.ts";
import { type Resolve, UnresolvedError } from "./checked-connect.ts";

/**
 * The process has two threads for lookups, unless UV_THREADPOOL_SIZE is set. More lookups of one page would delay the
 * names of all other pages.
 */
const AT_ONCE = 2;
/** A system tries its second name server after five seconds. */
const LOOKUP_MS = 8_000;

/** Runs the lookups of one context: a few at a time, each name once, and each with a timeout. */
export class NameLookups {
  readonly #resolve: Resolve;
  readonly #asked = new Map<string, Promise<string[]>>();
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #underWay = 0;
  #closed = false;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /**
   * Returns all addresses of a name, best first. @throws UnresolvedError after a timeout, and errors of the resolver
   */
  addresses(host: string): Promise<string[]> {
    const asked = this.#asked.get(host) ?? this.#ask(host);
    this.#asked.set(host, asked);
    return asked;
  }

  /** Starts no more lookups. */
  close(): void {
    this.#closed = true;
    for (const turn of this.#waiting.splice(0)) turn.reject(closed());
  }

  async #ask(host: string): Promise<string[]> {
    try {
      await this.#turn();
    } catch (error) {
      this.#asked.delete(host);
      throw error;
    }
    // A late lookup still has its thread. It keeps its slot, and its name is not looked up again.
    const answer = this.#resolve(host).finally(() => {
      this.#asked.delete(host);
      this.#endTurn();
    });
    const late = () => new UnresolvedError(host, REQUEST_FAILURES.lookupTimeout(host, LOOKUP_MS / 1000));
    return await bounded(answer, LOOKUP_MS, late);
  }

  async #turn(): Promise<void> {
    if (this.#closed) throw closed();
    if (this.#underWay < AT_ONCE) {
      this.#underWay += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    await turn.promise;
  }

  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#underWay -= 1;
  }
}

function closed(): Error {
  return new Error(REQUEST_FAILURES.canceled);
}
