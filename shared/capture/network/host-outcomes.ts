import { hostOf, portOf } from "./address-guard.ts";

/** A page can name any number of hosts. Only the most recent outcomes are read later. */
const MAX_HOSTS = 500;

/** Keeps why the last request to each host and port failed, in bounded memory. */
export class HostOutcomes {
  readonly #reasons = new Map<string, { kind: "refused" | "unreachable"; reason: string }>();

  record(url: URL, kind: "refused" | "unreachable", reason: string): void {
    const key = keyOf(url);
    // It is deleted first, so that the map is ordered by the last outcome.
    this.#reasons.delete(key);
    this.#reasons.set(key, { kind, reason });
    for (const oldest of this.#reasons.keys()) {
      if (this.#reasons.size <= MAX_HOSTS) break;
      this.#reasons.delete(oldest);
    }
  }

  /** Records that the host was reached. */
  clear(url: URL): void {
    this.#reasons.delete(keyOf(url));
  }

  reason(url: URL, kind: "refused" | "unreachable"): string | null {
    const outcome = this.#reasons.get(keyOf(url));
    return outcome?.kind === kind ? outcome.reason : null;
  }
}

function keyOf(url: URL): string {
  return `${hostOf(url)}:${portOf(url)}`;
}
