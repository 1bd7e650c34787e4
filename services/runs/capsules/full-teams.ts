import { LRUCache } from "lru-cache";
import type { EntityManager } from "../../../mixins/database.ts";
import { findFullTeams } from "./body.store.ts";

/** What a team stores meanwhile is above the limit, and the next cleanup deletes it. */
const TTL_MS = 60_000;
const MAX_TEAMS = 10_000;

/** Teams that keep no more bodies of responses, as they were a moment ago: dispatches are frequent. */
export class FullTeams {
  readonly #known = new LRUCache<string, boolean>({ max: MAX_TEAMS, ttl: TTL_MS });

  /** Returns those of these teams that have reached the limit. */
  async among(em: EntityManager, teamIds: ReadonlySet<string>): Promise<Set<string>> {
    const unknown = [...teamIds].filter(id => this.#known.get(id) === undefined);
    const full = await findFullTeams(em, unknown);
    for (const id of unknown) this.#known.set(id, full.has(id));
    return new Set([...teamIds].filter(id => full.has(id) || this.#known.get(id) === true));
  }

  /** Forgets what is known, because bodies were deleted. */
  clear(): void {
    this.#known.clear();
  }
}
