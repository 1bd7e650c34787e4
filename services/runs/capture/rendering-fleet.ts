import type { Renderer } from "../../../shared/broker/renderers.ts";
import { findMixedRenderers } from "../../../shared/mixed-renderers.ts";

interface FleetOptions {
  renderers(): Renderer[];
  /** How long renderers may be away before a run goes on without them, ms. */
  graceMs: number;
  /** Is told of renderers that draw differently, once for each mix. */
  warn(message: string): void;
  now?(): number;
}

/** Renderers by how they draw: which there are, which are gone, and which a run had better have. */
export class RenderingFleet {
  readonly #options: FleetOptions;
  /** When a fingerprint was first missed. */
  readonly #missedAt = new Map<string, number>();
  #mix = "";

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Pages that all renderers together render at once. */
  get capacity(): number {
    return this.#options.renderers().reduce((sum, { capacity }) => sum + capacity, 0);
  }

  /**
   * Chooses what a run is to be rendered with: how most of its baselines were captured, else how most pages can be
   * rendered at once. Null where no renderer has said how it draws.
   * @param baselines how often each fingerprint is among the run's baselines
   */
  choose(baselines: ReadonlyMap<string, number>): string | null {
    const rank = ([id, capacity]: [string, number]) => [baselines.get(id) ?? 0, capacity] as const;
    const best = [...this.#present()].sort((a, b) => {
      const [[baselinesA, capacityA], [baselinesB, capacityB]] = [rank(a), rank(b)];
      return baselinesB - baselinesA || capacityB - capacityA || (a[0] < b[0] ? -1 : 1);
    });
    return best[0]?.[0] ?? null;
  }

  /** Returns which of these fingerprints no renderer has any more, while there are others. Asked again and again. */
  missing(ids: readonly string[]): string[] {
    const present = this.#present();
    for (const id of present.keys()) this.#missedAt.delete(id);
    const requested = new Set(ids);
    for (const id of this.#missedAt.keys()) if (!requested.has(id)) this.#missedAt.delete(id);
    if (present.size === 0) return [];
    const now = (this.#options.now ?? Date.now)();
    return ids.filter(id => !present.has(id) && now - this.#missingSince(id, now) >= this.#options.graceMs);
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

  /** How many pages can be rendered at once with each fingerprint. */
  #present(): Map<string, number> {
    const present = new Map<string, number>();
    for (const { rendering, capacity } of this.#options.renderers())
      if (rendering) present.set(rendering.id, (present.get(rendering.id) ?? 0) + capacity);
    return present;
  }
}
