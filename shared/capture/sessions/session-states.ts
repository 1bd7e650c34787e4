import { LRUCache } from "lru-cache";
import type { BrowserState } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";

/** What a login left. */
export interface Login {
  state: BrowserState;
  /** Page on which the login ended. */
  url: string;
}

/** How to log in. Both functions can return the error of a login that failed. */
export interface LoginWork {
  logIn(): Promise<Login | CaptureError>;
  /** Returns whether a login still works; true if there is nothing to check. */
  isValid(login: Login): Promise<boolean>;
}

/** A login, or why it failed. */
interface Entry {
  outcome: Login | CaptureError;
  checkedAtMs: number;
}

/** More sessions than runs use at a time. */
const MAX_LOGINS = 200;
/** Applications mostly end idle sessions later. */
const MAX_AGE_MS = 30 * 60_000;
/** An older login is checked before it is used again. */
const CHECK_AFTER_MS = 5 * 60_000;
/** A failed login is not repeated for each page, because applications lock accounts. */
const FAILED_MS = 60_000;

/** Keeps the cookies and the storage of logins. All pages of a session wait for the same login. */
export class SessionStates {
  readonly #entries = new LRUCache<string, Promise<Entry>>({ max: MAX_LOGINS, ttl: MAX_AGE_MS });
  readonly #now: () => number;

  /** @param now the time, ms since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Returns the login for a key, and performs it if necessary.
   * @throws CaptureError of the login; the reason of the caller's own signal
   */
  async login(key: string, work: LoginWork): Promise<Login> {
    for (;;) {
      const known = this.#entries.get(key);
      const entry = await (known ?? this.#start(key, work)).catch((error: unknown) => {
        // Another page's login may have ended with that page.
        if (known === undefined) throw error;
        return null;
      });
      if (entry === null) continue;
      if (this.#now() - entry.checkedAtMs > maxAgeOf(entry)) {
        // Only the first of several pages that wait replaces it.
        if (this.#entries.get(key) === known) this.#start(key, work, entry).catch(() => {});
        continue;
      }
      if (entry.outcome instanceof CaptureError) throw entry.outcome;
      return entry.outcome;
    }
  }

  #start(key: string, work: LoginWork, before?: Entry): Promise<Entry> {
    const started = renewed(work, before).then(outcome => ({ outcome, checkedAtMs: this.#now() }));
    this.#entries.set(key, started);
    started.catch(() => {
      if (this.#entries.peek(key) === started) this.#entries.delete(key);
    });
    return started;
  }
}

async function renewed(work: LoginWork, before?: Entry): Promise<Login | CaptureError> {
  const isUsable =
    before !== undefined && !(before.outcome instanceof CaptureError) && (await work.isValid(before.outcome));
  return isUsable ? before.outcome : await work.logIn();
}

function maxAgeOf({ outcome }: Entry): number {
  return outcome instanceof CaptureError ? FAILED_MS : CHECK_AFTER_MS;
}
