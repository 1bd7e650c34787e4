import { withTimeout } from "../../async.ts";
import { REQUEST_FAILURES } from "../texts.ts";
import { type Resolve, UnresolvedError } from "./checked-connect.ts";

/**
 * The process has two threads for lookups, unless UV_THREADPOOL_SIZE is set. More lookups of one page would delay the
 * names of all other pages.
 */
const LOOKUP_CONCURRENCY = 2;
/** A system tries its second name server after five seconds. */
const LOOKUP_TIMEOUT_MS = 8_000;

/** A lookup of a name. */
export interface NameLookup {
  /** Resolves when the lookup no longer waits for others. */
  started: Promise<void>;
  /** All addresses of the name, best first. Rejects with UnresolvedError after a timeout, and errors of the resolver. */
  addresses: Promise<string[]>;
}

/** Runs the lookups of one context: a few at a time, each name once, and each with a timeout. */
export class NameLookups {
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;
  readonly #lookups = new Map<string, NameLookup>();
  readonly #queue: PromiseWithResolvers<void>[] = [];
  #running = 0;
  #closed = false;

  constructor(resolve: Resolve, { timeoutMs = LOOKUP_TIMEOUT_MS }: { timeoutMs?: number } = {}) {
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns all addresses of a name, best first.
   * @throws UnresolvedError after a timeout, and errors of the resolver
   */
  addresses(host: string): Promise<string[]> {
    return this.lookUp(host).addresses;
  }

  /** Returns the lookup of a name that runs or waits. Otherwise starts one. */
  lookUp(host: string): NameLookup {
    const before = this.#lookups.get(host);
    if (before) return before;
    const started = this.#acquireSlot();
    const lookup = { started, addresses: this.#lookUpAfter(started, host) };
    this.#lookups.set(host, lookup);
    return lookup;
  }

  /** Starts no more lookups. */
  close(): void {
    this.#closed = true;
    for (const slot of this.#queue.splice(0)) slot.reject(closed());
  }

  async #lookUpAfter(started: Promise<void>, host: string): Promise<string[]> {
    try {
      await started;
    } catch (error) {
      this.#lookups.delete(host);
      throw error;
    }
    // A late lookup still has its thread. It keeps its slot, and its name is not looked up again.
    const addresses = this.#resolve(host).finally(() => {
      this.#lookups.delete(host);
      this.#releaseSlot();
    });
    const timeoutError = () =>
      new UnresolvedError(host, REQUEST_FAILURES.lookupTimeout(host, this.#timeoutMs / 1000));
    return await withTimeout(addresses, this.#timeoutMs, timeoutError);
  }

  async #acquireSlot(): Promise<void> {
    if (this.#closed) throw closed();
    if (this.#running < LOOKUP_CONCURRENCY) {
      this.#running += 1;
      return;
    }
    const slot = Promise.withResolvers<void>();
    this.#queue.push(slot);
    await slot.promise;
  }

  #releaseSlot(): void {
    const next = this.#queue.shift();
    if (next) next.resolve();
    else this.#running -= 1;
  }
}

function closed(): Error {
  return new Error(REQUEST_FAILURES.canceled);
}
