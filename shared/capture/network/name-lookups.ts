import { withTimeout } from "../../async.ts";
import { REQUEST_FAILURES } from "../texts.ts";
import { type Resolve, UnresolvedError } from "./checked-connect.ts";
import { LookupSlots, lookupCount } from "./lookup-slots.ts";

/** Of all contexts of the process. */
const SLOTS = new LookupSlots(lookupCount(process.env.UV_THREADPOOL_SIZE));
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
  readonly #slots: LookupSlots;
  readonly #lookups = new Map<string, NameLookup>();
  #closed = false;

  constructor(
    resolve: Resolve,
    { timeoutMs = LOOKUP_TIMEOUT_MS, slots = SLOTS }: { timeoutMs?: number; slots?: LookupSlots } = {},
  ) {
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
    this.#slots = slots;
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
    const started = this.#closed ? Promise.reject(closed()) : this.#slots.acquire(this);
    const lookup = { started, addresses: this.#lookUpAfter(started, host) };
    this.#lookups.set(host, lookup);
    return lookup;
  }

  /** Starts no more lookups. */
  close(): void {
    this.#closed = true;
    this.#slots.refuse(this, closed());
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
      this.#slots.release(this);
    });
    const timeoutError = () =>
      new UnresolvedError(host, REQUEST_FAILURES.lookupTimeout(host, this.#timeoutMs / 1000));
    return await withTimeout(addresses, this.#timeoutMs, timeoutError);
  }
}

function closed(): Error {
  return new Error(REQUEST_FAILURES.canceled);
}
