import { LRUCache } from "lru-cache";
import type { BrowserState } from "../browser/context-storage.ts";
import { CaptureError } from "../capture-types.ts";

/** What a login left. */
export interface Login {
  state: BrowserState;
  /** Page on which the login ended. */
  url: string;
  /**
   * Place of the page on which its steps began (see `placeOf`). Pages that lead there need a new login. Null if that
   * proves nothing: the login has no steps, or ended there too.
   */
  beganAt: string | null;
}

/** How to log in. */
export interface LoginWork {
  /** Returns the error of a login that failed. */
  logIn(): Promise<Login | CaptureError>;
  /** Returns whether a login still works; null if there is nothing to check. */
  isValid(login: Login): Promise<boolean | null>;
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
  /** When logins replaced one that had ended, until a page was captured with them. */
  readonly #unprovenSinceMs = new WeakMap<Login, number>();
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
      const entry = await (known ?? this.#start(key, () => work.logIn())).catch((error: unknown) => {
        // Another page's login may have ended with that page.
        if (known === undefined) throw error;
        return null;
      });
      if (entry === null) continue;
      if (this.#now() - entry.checkedAtMs > maxAgeOf(entry)) {
        // Only the first of several pages that wait replaces it.
        if (this.#entries.get(key) === known)
          this.#start(key, () => checkedAgain(work, entry)).catch(() => {});
        continue;
      }
      if (entry.outcome instanceof CaptureError) throw entry.outcome;
      return entry.outcome;
    }
  }

  /**
   * Returns a login in place of one that the application no longer accepts. All pages whose login has ended get the same
   * new one. Returns the ended login if it is itself such a new one and no page has worked with it: more logins would
   * not help, and applications lock accounts.
   * @throws CaptureError of the login; the reason of the caller's own signal
   */
  async renew(key: string, ended: Login, work: LoginWork): Promise<Login> {
    const known = this.#entries.get(key);
    const entry = await known?.catch(() => null);
    if (entry?.outcome === ended) {
      const sinceMs = this.#unprovenSinceMs.get(ended);
      if (sinceMs !== undefined && this.#now() - sinceMs < FAILED_MS) return ended;
      if (this.#entries.get(key) === known) this.#start(key, () => this.#replacement(work)).catch(() => {});
    }
    return await this.login(key, work);
  }

  /** Records that a page was captured with a login. */
  prove(login: Login): void {
    this.#unprovenSinceMs.delete(login);
  }

  async #replacement(work: LoginWork): Promise<Login | CaptureError> {
    const outcome = await work.logIn();
    if (!(outcome instanceof CaptureError)) this.#unprovenSinceMs.set(outcome, this.#now());
    return outcome;
  }

  #start(key: string, work: () => Promise<Login | CaptureError>): Promise<Entry> {
    const started = work().then(outcome => ({ outcome, checkedAtMs: this.#now() }));
    this.#entries.set(key, started);
    started.catch(() => {
      if (this.#entries.peek(key) === started) this.#entries.delete(key);
    });
    return started;
  }
}

/** Returns a login that still works, or a new one. */
async function checkedAgain(work: LoginWork, { outcome }: Entry): Promise<Login | CaptureError> {
  const isUsable = !(outcome instanceof CaptureError) && (await work.isValid(outcome)) !== false;
  return isUsable ? outcome : await work.logIn();
}

function maxAgeOf({ outcome }: Entry): number {
  return outcome instanceof CaptureError ? FAILED_MS : CHECK_AFTER_MS;
}
