import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import { ApiProblem } from "../../api/request.ts";
import { commonTexts } from "../../texts/common.ts";
import type { Decision } from "./decision.ts";

/** A decision that the service refused, with its message. */
export interface Refused {
  decision: Decision;
  why: string;
}

/** Decisions that aren't saved yet. */
export interface Unsaved {
  waiting: readonly Decision[];
  refused: readonly Refused[];
  /** The reason that sending stopped; null while it continues. */
  trouble: string | null;
}

type TabStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

interface Links {
  /** @throws ApiProblem */
  send(decision: Decision): Promise<void>;
  /** Called when a decision was saved, refused or dropped. */
  onHandled(decision: Decision): void;
  /** Called when the session has ended. `resume` continues after the next sign-in. */
  onSignedOut(): void;
}

const RETRIES: Backoff = { firstMs: 1_000, longestMs: 5_000 };
const TOO_EARLY = new Set([401, 408, 429]);

/**
 * Sends decisions to the service in order. Unsent ones are kept, also in the browser's tab, and retried until
 * the service has responded.
 */
export class Outbox {
  readonly #links: Links;
  readonly #store: TabStore;
  readonly #name: string;
  readonly #listeners = new Set<() => void>();
  #state: Unsaved;
  #isSending = false;
  /** Failed attempts of the first decision. The service may have received it nevertheless. */
  #failures = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** @param name the key in the tab's store, for one reviewer and one run */
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

  /** Retries at once. */
  retry(): void {
    clearTimeout(this.#again);
    void this.#flush();
  }

  /** Removes a refused decision. */
  dismiss({ decision }: Refused): void {
    this.#set({ refused: this.#state.refused.filter(each => each.decision !== decision) });
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    clearTimeout(this.#again);
    let continues = true;
    while (continues) {
      const [decision] = this.#state.waiting;
      continues = decision !== undefined && (await this.#sendFirst(decision));
    }
    this.#isSending = false;
  }

  /** @returns whether to continue with the next one */
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
    this.#links.onHandled(decision);
    return true;
  }

  #waitFor(error: unknown): void {
    this.#failures += 1;
    this.#set({ trouble: troubleOf(error) });
    if (error instanceof ApiProblem && error.status === 401) {
      this.#links.onSignedOut();
      return;
    }
    const pauseMs = backoffMs(this.#failures, RETRIES);
    this.#again = setTimeout(() => void this.#flush(), pauseMs);
  }

  /** Undoing twice is a conflict. If the response of the first attempt was lost, the decision was saved. */
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

/** Unlike other changes, decisions are retried. */
function troubleOf(error: unknown): string {
  if (error instanceof ApiProblem && error.status === 0) return commonTexts.unreachable;
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether the service understood the decision, and would refuse it again. */
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
