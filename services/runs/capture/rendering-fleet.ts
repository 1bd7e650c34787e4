import type { Renderer } from "../../../shared/broker/renderers.ts";
import { findMixedRenderers } from "../../../shared/mixed-renderers.ts";

interface FleetOptions {
  renderers(): Renderer[];
  /** How long renderers can be missing before a run continues without them, in ms. */
  graceMs: number;
  /** Logs that renderers draw differently, once per mix. */
  warn(message: string): void;
  now?(): number;
}

/** The renderers by rendering fingerprint: which are present, which are missing, and which one a run should use. */
export class RenderingFleet {
  readonly #options: FleetOptions;
  /** Time since which a fingerprint is missing. */
  readonly #missedAt = new Map<string, number>();
  #mix = "";

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Number of pages that all renderers together render at the same time. */
  get capacity(): number {
    return this.#options.renderers().reduce((sum, { capacity }) => sum + capacity, 0);
  }

  /**
   * Chooses the rendering of a run: the one of most of its baselines, else the one with the largest capacity. Returns
   * null if no renderer has reported its rendering.
   * @param baselines number of the run's baselines by fingerprint
   */
  choose(baselines: ReadonlyMap<string, number>): string | null {
    const rank = ([id, capacity]: [string, number]) => [baselines.get(id) ?? 0, capacity] as const;
    const best = [...this.#present()].sort((a, b) => {
      const [[baselinesA, capacityA], [baselinesB, capacityB]] = [rank(a), rank(b)];
      return baselinesB - baselinesA || capacityB - capacityA || (a[0] < b[0] ? -1 : 1);
    });
    return best[0]?.[0] ?? null;
  }

  /**
   * Returns which of these fingerprints no renderer has now, if other renderers exist. Call it repeatedly, since
   * it measures how long they are missing.
   */
  missing(ids: readonly string[]): string[] {
    const present = this.#present();
    for (const id of present.keys()) this.#missedAt.delete(id);
    const requested = new Set(ids);
    for (const id of this.#missedAt.keys()) if (!requested.has(id)) this.#missedAt.delete(id);
    if (present.size === 0) return [];
    const now = (this.#options.now ?? Date.now)();
    return ids.filter(id => !present.has(id) && now - this.#missingSince(id, now) >= this.#options.graceMs);
  }

  /** Returns whether a renderer draws like this now. True if no renderer has reported its rendering. */
  isPresent(id: string): boolean {
    const present = this.#present();
    return present.size === 0 || present.has(id);
  }

  /** Warns once when renderers draw differently. */
  warnOfMix(): void {
    const mix = findMixedRenderers(this.#options.renderers());
    const description = mix
      ? mix.groups.map(({ rendering, nodes }) => `${rendering}: ${nodes.join(", ")}`).join("; ")
      : "";
    if (mix && description !== this.#mix) this.#options.warn(`${mix.message} ${description}`);
    this.#mix = description;
  }

  #missingSince(id: string, now: number): number {
    const since = this.#missedAt.get(id) ?? now;
    this.#missedAt.set(id, since);
    return since;
  }

  /** Returns the capacity by fingerprint. */
  #present(): Map<string, number> {
    const present = new Map<string, number>();
    for (const { rendering, capacity } of this.#options.renderers())
      if (rendering) present.set(rendering.id, (present.get(rendering.id) ?? 0) + capacity);
    return present;
  }
}
