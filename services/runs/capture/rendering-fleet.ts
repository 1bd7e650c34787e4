import type { Renderer } from "../../../shared/broker/renderers.ts";
import { findMixedRenderers } from "../../../shared/mixed-renderers.ts";

interface FleetOptions {
  renderers(): Renderer[];
  /** How long renderers can be missing before a run continues without them, in ms. */
  graceMs: number;
  /** How long a region can be without a renderer before a run continues without the region, in ms. */
  regionGraceMs: number;
  /** Logs that renderers draw differently, once per mix. */
  warn(message: string): void;
  now?(): number;
}

/** A rendering fingerprint that a region's renderers should have. */
interface Wanted {
  /** Null for all renderers. */
  region: string | null;
  rendering: string;
}

/**
 * The renderers by region and rendering fingerprint: which are present, which are missing, and which one a run should
 * use. Without a region, it is about all renderers.
 */
export class RenderingFleet {
  readonly #options: FleetOptions;
  /** Time since which a fingerprint is missing. */
  readonly #missing = new Absences();
  /** Time since which a region has no renderer. */
  readonly #absent = new Absences();
  #mix = "";

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Number of pages that all renderers together render at the same time. */
  get capacity(): number {
    return this.capacityIn(null);
  }

  /** Returns the number of pages that the renderers of a region render at the same time. */
  capacityIn(region: string | null): number {
    return this.#in(region).reduce((sum, { capacity }) => sum + capacity, 0);
  }

  /** Returns the regions that have a renderer now. */
  regions(): string[] {
    return [...new Set(this.#options.renderers().flatMap(({ region }) => region ?? []))];
  }

  /**
   * Chooses the rendering of a run in a region: the one of most of its baselines, else the one with the largest
   * capacity. Returns null if no renderer has reported its rendering.
   * @param baselines number of the run's baselines by fingerprint
   */
  choose(baselines: ReadonlyMap<string, number>, region: string | null = null): string | null {
    const rank = ([id, capacity]: [string, number]) => [baselines.get(id) ?? 0, capacity] as const;
    const best = [...this.#present(region)].sort((a, b) => {
      const [[baselinesA, capacityA], [baselinesB, capacityB]] = [rank(a), rank(b)];
      return baselinesB - baselinesA || capacityB - capacityA || (a[0] < b[0] ? -1 : 1);
    });
    return best[0]?.[0] ?? null;
  }

  /**
   * Returns which of these fingerprints no renderer of the region has now, if the region has other renderers. Call it
   * repeatedly, since it measures how long they are missing.
   */
  missing<Each extends Wanted>(wanted: readonly Each[]): Each[] {
    const longest = this.#missing.over(
      wanted.filter(({ region, rendering }) => !this.isPresent(rendering, region)).map(nameOf),
      { ms: this.#options.graceMs, now: this.#now() },
    );
    return wanted.filter(each => longest.has(nameOf(each)));
  }

  /**
   * Returns which of these regions have no renderer. Call it repeatedly, since it measures for how long.
   */
  absent(regions: Iterable<string>): Set<string> {
    const present = new Set(this.regions());
    const away = [...regions].filter(region => !present.has(region));
    return this.#absent.over(away, { ms: this.#options.regionGraceMs, now: this.#now() });
  }

  /** Returns whether a renderer of the region draws like this now. True if none has reported its rendering. */
  isPresent(id: string, region: string | null = null): boolean {
    const present = this.#present(region);
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

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #in(region: string | null): Renderer[] {
    return this.#options.renderers().filter(each => region === null || each.region === region);
  }

  /** Returns the capacity by fingerprint. */
  #present(region: string | null): Map<string, number> {
    const present = new Map<string, number>();
    for (const { rendering, capacity } of this.#in(region))
      if (rendering) present.set(rendering.id, (present.get(rendering.id) ?? 0) + capacity);
    return present;
  }
}

function nameOf({ region, rendering }: Wanted): string {
  return `${region ?? ""} ${rendering}`;
}

/** Measures for how long something is away. */
class Absences {
  readonly #since = new Map<string, number>();

  /** Returns which of the names have been away for this long. Names that are not given are back. */
  over(away: readonly string[], { ms, now }: { ms: number; now: number }): Set<string> {
    const named = new Set(away);
    for (const name of this.#since.keys()) if (!named.has(name)) this.#since.delete(name);
    for (const name of named) if (!this.#since.has(name)) this.#since.set(name, now);
    return new Set([...this.#since].filter(([, since]) => now - since >= ms).map(([name]) => name));
  }
}
