import { hostOf, portOf } from "./address-guard.ts";

/** A page may name any number of hosts; those asked for last are the ones whose outcome is asked for. */
const MAX_HOSTS = 500;

/** How the last request to each host and port was kept from it, with bounded memory. */
export class HostOutcomes {
  readonly #reasons = new Map<string, { kind: "refused" | "unreachable"; reason: string }>();

  note(url: URL, kind: "refused" | "unreachable", reason: string): void {
    const key = keyOf(url);
    // Deleted first, so that the map's order is that of the last outcomes.
    this.#reasons.delete(key);
    this.#reasons.set(key, { kind, reason });
    for (const oldest of this.#reasons.keys()) {
      if (this.#reasons.size <= MAX_HOSTS) break;
      this.#reasons.delete(oldest);
    }
  }

  /** The host was reached. */
  forget(url: URL): void {
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
