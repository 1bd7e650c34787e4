import { isDeepStrictEqual } from "node:util";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { Random } from "./random.ts";
import { retryRequest } from "./retry-request.ts";
import { clientOf, post, type SoakContext } from "./soak-context.ts";

/** The variants that a page can have. */
const VARIANTS = 5;

/** Number of screenshots by status, without zeros. */
type Counts = Partial<RunView["counts"]>;

/**
 * A project whose baselines only one actor changes, so the expected result of each of its runs is known.
 */
export class ReviewedProject {
  readonly #context: SoakContext;
  readonly #random: Random;
  /** The approved variant of each page. */
  readonly #baselines = new Map<string, number>();

  constructor(context: SoakContext, random: Random) {
    this.#context = context;
    this.#random = random;
  }

  /** Draws a variant for each page. */
  draw(pages: readonly string[]): Map<string, number> {
    return new Map(pages.map(page => [page, this.drawVariant()]));
  }

  drawVariant(): number {
    return this.#random.between(1, VARIANTS);
  }

  /** Records an accepted run with the expected result. @param isCanceled whether its result isn't known */
  accept(id: string, variants: ReadonlyMap<string, number>, isCanceled = false): void {
    const counts = isCanceled ? null : this.#countsOf(variants);
    this.#context.ledger.accept({ id, screenshots: variants.size, counts });
  }

  /** Waits for a run, and approves or rejects what it finds. */
  async review(id: string, variants: ReadonlyMap<string, number>): Promise<void> {
    const run = await this.wait(id);
    if (run.status !== "completed") throw new Error(`${id} is ${run.status}: ${run.error}`);
    if (isDeepStrictEqual(this.#countsOf(variants), { unchanged: variants.size })) return;
    if (this.#random.happens(0.3)) await this.#reject(id);
    else await this.#approve(id, variants);
  }

  /** Waits until a run has ended. */
  async wait(id: string): Promise<RunView> {
    return await retryRequest(attempt =>
      clientOf(this.#context, attempt).waitForRun(id, { intervalMs: 500 }),
    );
  }

  async #approve(id: string, variants: ReadonlyMap<string, number>): Promise<void> {
    await retryRequest(attempt => clientOf(this.#context, attempt).approve(id));
    for (const [page, variant] of variants) this.#baselines.set(page, variant);
    this.#context.ledger.note("runs approved");
  }

  async #reject(id: string): Promise<void> {
    await retryRequest(attempt =>
      post(this.#context, attempt, `/v1/baselines/${id}/reject`, { reason: "It is not as it was drawn." }),
    );
    this.#context.ledger.note("runs rejected");
  }

  #countsOf(variants: ReadonlyMap<string, number>): Counts {
    const counts: Counts = {};
    for (const [page, variant] of variants) {
      const baseline = this.#baselines.get(page);
      const status = baseline === undefined ? "new" : baseline === variant ? "unchanged" : "changed";
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }
}
