import { ComparePool } from "../../shared/compare/compare-pool.ts";

/** Compares images of proofs. Its thread starts with the first one. */
export class LazyComparePool {
  #pool: ComparePool | null = null;

  compare(...images: Parameters<ComparePool["compare"]>): ReturnType<ComparePool["compare"]> {
    this.#pool ??= new ComparePool({ threads: 1 });
    return this.#pool.compare(...images);
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
