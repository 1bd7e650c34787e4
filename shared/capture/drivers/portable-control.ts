import type { Browser } from "playwright";
import type { BrowserControl } from "./browser-control.ts";

/** Controls a browser with what Playwright can do in every browser. The memory of its pages is not limited. */
export class PortableControl implements BrowserControl {
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  watchMemory(): () => void {
    return () => {};
  }

  async untilIdentified(): Promise<void> {}

  async respond(): Promise<void> {
    const context = await this.#browser.newContext();
    await context.close();
  }

  async residentBytes(): Promise<number> {
    return 0;
  }

  async measure(): Promise<null> {
    return null;
  }

  /** Playwright kills a browser that does not close within seconds. */
  kill(): void {
    void this.#browser.close().catch(() => {});
  }
}
