import { withTimeout } from "../../async.ts";
import { REQUEST_FAILURES } from "../texts.ts";
import { type Resolve, UnresolvedError } from "./checked-connect.ts";
import { LookupSlots, lookupCount } from "./lookup-slots.ts";

/** Of all contexts of the process. */
const SLOTS = new LookupSlots(lookupCount(process.env.UV_THREADPOOL_SIZE));
/** A system tries its second name server after five seconds. */
const LOOKUP_TIMEOUT_MS = 8_000;

/** Runs the lookups of one context: a few at a time, each name once, and each with a timeout. */
export class NameLookups {
  readonly #resolve: Resolve;
  readonly #lookups = new Map<string, Promise<string[]>>();
  readonly #slots: LookupSlots;
  #closed = false;

  constructor(resolve: Resolve, slots = SLOTS) {
    this.#resolve = resolve;
    this.#slots = slots;
  }

  /**
   * Returns all addresses of a name, best first.
   * @throws UnresolvedError after a timeout, and errors of the resolver
   */
  addresses(host: string): Promise<string[]> {
    const lookup = this.#lookups.get(host) ?? this.#lookUp(host);
    this.#lookups.set(host, lookup);
    return lookup;
  }

  /** Starts no more lookups. */
  close(): void {
    this.#closed = true;
    this.#slots.refuse(this, closed());
  }

  async #lookUp(host: string): Promise<string[]> {
    try {
      if (this.#closed) throw closed();
      await this.#slots.acquire(this);
    } catch (error) {
      this.#lookups.delete(host);
      throw error;
    }
    // A late lookup still has its thread. It keeps its slot, and its name is not looked up again.
    const addresses = this.#resolve(host).finally(() => {
      this.#lookups.delete(host);
      this.#slots.release(this);
    });
    const timeoutError = () =>
      new UnresolvedError(host, REQUEST_FAILURES.lookupTimeout(host, LOOKUP_TIMEOUT_MS / 1000));
    return await withTimeout(addresses, LOOKUP_TIMEOUT_MS, timeoutError);
  }
}

function closed(): Error {
  return new Error(REQUEST_FAILURES.canceled);
}
