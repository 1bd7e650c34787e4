import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import { ApiProblem } from "../../api/request.ts";
import type { Decision } from "./decision.ts";

/** A decision that the service did not take, and its words on why. */
export interface Refused {
  decision: Decision;
  why: string;
}

/** What of the decisions is not with the service yet. */
export interface Unsaved {
  waiting: readonly Decision[];
  refused: readonly Refused[];
  /** Why it does not go on; null while it does. */
  trouble: string | null;
}

type TabStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

interface Links {
  /** @throws ApiProblem */
  send(decision: Decision): Promise<void>;
  /** A decision is saved, refused or given up: it waits no more. */
  settled(decision: Decision): void;
  /** The session is over; `resume` goes on after the next one has begun. */
  signedOut(): void;
}

const RETRIES: Backoff = { firstMs: 1_000, longestMs: 5_000 };
const TOO_EARLY = new Set([401, 408, 429]);

/**
 * Decisions on their way to the service, one after another. What could not be sent is kept, in the browser's tab too,
 * and sent again until the service has answered for it.
 */
export class Outbox {
  readonly #links: Links;
  readonly #store: TabStore;
  readonly #name: string;
  readonly #listeners = new Set<() => void>();
  #state: Unsaved;
  #isSending = false;
  /** Tries of the first that came to nothing: it may have been heard all the same. */
  #failures = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** @param name under which the tab's store keeps what waits: of one reviewer and one run */
  constructor(links: Links, store: TabStore, name: string) {
    this.#links = links;
    this.#store = store;
    this.#name = name;
    this.#state = { waiting: readDecisions(store.getItem(name)), refused: [], trouble: null };
  }

  get unsaved(): Unsaved {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(decision: Decision): void {
    this.#set({ waiting: [...this.#state.waiting, decision] });
    void this.#flush();
  }

  /** Tries at once what waits. */
  resume(): void {
    clearTimeout(this.#again);
    void this.#flush();
  }

  /** Forgets what was refused. */
  forget({ decision }: Refused): void {
    this.#set({ refused: this.#state.refused.filter(each => each.decision !== decision) });
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    clearTimeout(this.#again);
    let goesOn = true;
    while (goesOn) {
      const [decision] = this.#state.waiting;
      goesOn = decision !== undefined && (await this.#sendFirst(decision));
    }
    this.#isSending = false;
  }

  /** @returns whether to go on with the next */
  async #sendFirst(decision: Decision): Promise<boolean> {
    try {
      await this.#links.send(decision);
    } catch (error) {
      if (isRefusal(error) && !this.#isDoneBefore(decision, error)) {
        this.#set({ refused: [...this.#state.refused, { decision, why: error.message }] });
      } else if (!isRefusal(error)) {
        this.#waitFor(error);
        return false;
      }
    }
    this.#failures = 0;
    this.#set({ waiting: this.#state.waiting.slice(1), trouble: null });
    this.#links.settled(decision);
    return true;
  }

  #waitFor(error: unknown): void {
    this.#failures += 1;
    this.#set({ trouble: error instanceof Error ? error.message : String(error) });
    if (error instanceof ApiProblem && error.status === 401) {
      this.#links.signedOut();
      return;
    }
    const pauseMs = backoffMs(this.#failures, RETRIES);
    this.#again = setTimeout(() => void this.#flush(), pauseMs);
  }

  /** To take back what is taken back already is a conflict; when its answer got lost, it was ours. */
  #isDoneBefore({ verdict }: Decision, { status }: ApiProblem): boolean {
    return verdict === null && status === 409 && this.#failures > 0;
  }

  #set(part: Partial<Unsaved>): void {
    this.#state = { ...this.#state, ...part };
    const { waiting } = this.#state;
    if (waiting.length === 0) this.#store.removeItem(this.#name);
    else this.#store.setItem(this.#name, JSON.stringify(waiting));
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the service has understood, and will answer the same the next time. */
function isRefusal(error: unknown): error is ApiProblem {
  return (
    error instanceof ApiProblem && error.status >= 400 && error.status < 500 && !TOO_EARLY.has(error.status)
  );
}

function readDecisions(text: string | null): Decision[] {
  if (text === null) return [];
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter(isDecision) : [];
  } catch {
    return [];
  }
}

function isDecision(value: unknown): value is Decision {
  if (typeof value !== "object" || value === null) return false;
  return "ids" in value && Array.isArray(value.ids) && "verdict" in value && "reason" in value;
}
