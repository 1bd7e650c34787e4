import type { Capture } from "../../shared/capture/capture-types.ts";
import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import { type Comparison, type Region, unchanged } from "../../shared/compare/comparison.ts";
import type { AppliedRegion } from "../../shared/contracts/capture/ignore-region.ts";
import type { Explanation } from "../../shared/contracts/runs/explanation.ts";

/** The image to compare a screenshot with. */
export interface ImageToCompare {
  /** SHA-256 of its original capture; null if unknown. */
  capture: string | null;
  /** px; null if unknown. */
  width: number | null;
  height: number | null;
  /** Reads the PNG's bytes. Called only if the hashes differ. */
  read(): Promise<Buffer>;
}

/** A screenshot to compare with its baseline. */
export type CurrentImage = Pick<Capture, "png" | "hash" | "width" | "height">;

/** Options of a comparison. */
export interface CompareOptions {
  /** Color distance that counts as equal, 0–1; undefined for the default. */
  colorThreshold: number | undefined;
  /** Regions whose changed pixels don't count, px. */
  ignoreRegions: readonly AppliedRegion[];
}

/** Compares screenshots with images in threads, which start with the first difference. */
export class CompareEngine {
  readonly #threads: number;
  #comparing: Promise<ComparePool> | null = null;

  /** @param threads maximum of concurrent comparisons */
  constructor({ threads }: { threads: number }) {
    this.#threads = threads;
  }

  /**
   * Compares a screenshot with an image. Equal hashes need no image data.
   * @throws UnreadableImageError, and errors of `read`
   */
  async compare(
    image: ImageToCompare,
    current: CurrentImage,
    options: CompareOptions & { signal: AbortSignal },
  ): Promise<Comparison> {
    if (image.capture === current.hash) return unchanged(current, options.ignoreRegions);
    const baseline = await image.read();
    // Most checks find no changes, and need no threads.
    this.#comparing ??= import("../../shared/compare/compare-pool.ts").then(
      module => new module.ComparePool({ threads: this.#threads }),
    );
    return await (await this.#comparing).compare(baseline, current.png, options);
  }

  /** Explains why two images differ, from their packed capsules. @throws Error if one is damaged */
  async explain(baseline: Buffer, current: Buffer, regions: readonly Region[]): Promise<Explanation | null> {
    return (await (await this.#comparing)?.explain(baseline, current, regions)) ?? null;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#comparing?.then(pool => pool.close());
  }
}
