import type { KeptPreview } from "../story/story-request.ts";
import type { Lease } from "./lease.ts";
import type { PooledBrowser } from "./pooled-browser.ts";

/** Maximum number of warm contexts. The least recently used one is closed first. */
export const WARM_CONTEXTS = 8;

/** What a page needs of a lease. */
interface WantedLease {
  isolationKey: string;
  contextKey: string;
  /** The preview that it shows at best; null for none. */
  preview: KeptPreview | null;
}

/** Released leases whose contexts stay open for the next page of their key. */
export class WarmLeases {
  readonly #keepMs: number;
  readonly #discard: (lease: Lease) => Promise<void>;
  /** Least recently used first. */
  #warm: { lease: Lease; timer: NodeJS.Timeout }[] = [];

  /**
   * @param keepMs how long a lease stays warm
   * @param discard closes a lease
   */
  constructor(keepMs: number, discard: (lease: Lease) => Promise<void>) {
    this.#keepMs = keepMs;
    this.#discard = discard;
  }

  /**
   * Takes out the latest lease of this key and context: one that shows the preview, or one that can become it, or else
   * one whose preview no other page waits for.
   */
  take({ isolationKey, contextKey, preview }: WantedLease): Lease | null {
    const fitting = this.#warm.filter(
      ({ lease }) => lease.isolationKey === isolationKey && lease.contextKey === contextKey && lease.isUsable,
    );
    const found =
      fitting.findLast(({ lease }) => shows(lease, preview, preview?.group ?? null)) ??
      fitting.findLast(({ lease }) => shows(lease, preview, null)) ??
      fitting.findLast(({ lease }) => lease.preview === null) ??
      fitting.at(-1);
    if (found === undefined) return null;
    this.#warm = this.#warm.filter(warm => warm !== found);
    clearTimeout(found.timer);
    return found.lease;
  }

  /** Keeps a lease warm. Closes the oldest one if there are too many. */
  async keep(lease: Lease): Promise<void> {
    const timer = setTimeout(() => void this.#cool(lease), this.#keepMs).unref();
    this.#warm.push({ lease, timer });
    const oldest = this.#warm[0];
    if (this.#warm.length > WARM_CONTEXTS && oldest) await this.#cool(oldest.lease);
  }

  /** Closes all warm leases of a browser. */
  coolAll(browser: PooledBrowser): void {
    for (const { lease } of this.#warm.filter(warm => warm.lease.browser === browser)) void this.#cool(lease);
  }

  /** Forgets all leases, without closing them. */
  clear(): void {
    for (const { timer } of this.#warm) clearTimeout(timer);
    this.#warm = [];
  }

  async #cool(lease: Lease): Promise<void> {
    const entry = this.#warm.find(warm => warm.lease === lease);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#warm = this.#warm.filter(warm => warm !== entry);
    await this.#discard(lease);
  }
}

function shows(lease: Lease, preview: KeptPreview | null, group: string | null): boolean {
  return preview !== null && lease.preview?.key === preview.key && lease.preview.group === group;
}
