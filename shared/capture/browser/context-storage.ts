import type { BrowserContext, Page } from "playwright";
import type { PageDriver } from "../drivers/page-driver.ts";

/** Cookies and storage of a context, as Playwright reads and writes them. */
export type BrowserState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Clearing the storage of more origins would take longer than opening a new context. */
const MAX_ORIGINS = 50;

/** The cookies and the storage of a context. It closes the pages that its page opens. */
export class ContextStorage {
  /** Whether Playwright may open pages of its own, to read and write their storage. */
  #keepsPages = false;
  /** Origins whose storage the pages may have used. */
  readonly #origins = new Set<string>();
  readonly #context: BrowserContext;
  readonly #driver: PageDriver;
  readonly #onFull: () => void;

  /** @param onFull called when there is too much to clear, so that no other page may use the context */
  constructor(context: BrowserContext, page: Page, driver: PageDriver, onFull: () => void) {
    this.#context = context;
    this.#driver = driver;
    this.#onFull = onFull;
    context.on("page", popup => {
      if (!this.#keepsPages) void popup.close().catch(() => {});
    });
    page.on("framenavigated", frame => this.#addOrigin(URL.parse(frame.url())?.origin ?? "null"));
  }

  /** Returns the cookies and the storage. */
  async read(): Promise<BrowserState> {
    return await this.#withOwnPages(() => this.#context.storageState({ indexedDB: true }));
  }

  /** Writes the cookies and the storage for a page at a URL. */
  async restore(url: string, state: BrowserState): Promise<void> {
    for (const { origin } of [{ origin: new URL(url).origin }, ...state.origins]) this.#addOrigin(origin);
    // Writing storage needs a page of its origin, which takes a tenth of a second.
    if (state.origins.length === 0) return await this.#context.addCookies(state.cookies);
    await this.#withOwnPages(() => this.#context.setStorageState(state));
  }

  /** Deletes what the pages so far may have stored. */
  async clear(): Promise<void> {
    if (this.#origins.size === 0) return;
    const origins = [...this.#origins];
    this.#origins.clear();
    const clearStorage = () => this.#withOwnPages(() => this.#driver.clearStorage(origins));
    await Promise.all([this.#context.clearCookies(), clearStorage()]);
  }

  /** Runs work for which Playwright may open pages of its own. */
  async #withOwnPages<T>(work: () => Promise<T>): Promise<T> {
    this.#keepsPages = true;
    return await work().finally(() => {
      this.#keepsPages = false;
    });
  }

  #addOrigin(origin: string): void {
    if (origin === "null" || this.#origins.has(origin)) return;
    if (this.#origins.size < MAX_ORIGINS) this.#origins.add(origin);
    else this.#onFull();
  }
}
