import { LRUCache } from "lru-cache";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { LinkRules } from "../../../shared/links/link-rules.ts";

/** How long rules are cached. Changes are broadcast. This bounds the delay if a broadcast is lost. */
const CACHE_MS = 10_000;
/** A page of the dashboard shows images of about 20 runs. */
const MAX_CACHED = 1_000;

/** Caches the rules of image links by team and run, because a page loads hundreds of images. */
export class LinkAccess {
  readonly #cached = new LRUCache<string, { rules: LinkRules | null }>({ max: MAX_CACHED, ttl: CACHE_MS });
  readonly #pending = new Map<string, Promise<LinkRules | null>>();
  #changes = 0;

  /** Returns the rules of a run's image links, or of links without a run. Null if no link is valid. */
  async rulesOf(bus: Bus, teamId: string, runId: string | null): Promise<LinkRules | null> {
    const name = `${teamId} ${runId ?? ""}`;
    const cached = this.#cached.get(name);
    if (cached) return cached.rules;
    const pending = this.#pending.get(name) ?? this.#request(bus, name, { teamId, runId });
    return pending;
  }

  /** Removes the cached rules of these teams and runs. */
  invalidate(ids: string[]): void {
    this.#changes += 1;
    this.#pending.clear();
    // A copy, because entries are deleted meanwhile.
    for (const name of [...this.#cached.keys()])
      if (name.split(" ").some(id => ids.includes(id))) this.#cached.delete(name);
  }

  #request(
    bus: Bus,
    name: string,
    params: { teamId: string; runId: string | null },
  ): Promise<LinkRules | null> {
    const before = this.#changes;
    const answer = call(bus, "runs.linkRules", params)
      .then(rules => {
        // These rules may have changed while the response was on its way.
        if (this.#changes === before) this.#cached.set(name, { rules });
        return rules;
      })
      .finally(() => {
        if (this.#pending.get(name) === answer) this.#pending.delete(name);
      });
    this.#pending.set(name, answer);
    return answer;
  }
}
