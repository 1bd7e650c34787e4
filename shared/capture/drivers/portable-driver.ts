import type { BrowserContext, Disposable, Page, ViewportSize } from "playwright";
import type { BrowserName } from "../../contracts/capture/environment.ts";
import { CaptureError } from "../capture-types.ts";
import type { PageArea } from "../screenshot/capture-area.ts";
import { BROWSER_NAMES, PAGE_ERRORS } from "../texts.ts";
import type { DrivenPage, PageDriver } from "./page-driver.ts";
import { PortableClock } from "./portable-clock.ts";

/** Timers of a page still run in their order at this pace, and most pages are settled in a second. */
const PACE = 8;

/** Drives a page with what Playwright can do in every browser. */
export class PortableDriver implements PageDriver {
  readonly clock: PortableClock;
  readonly contextId = "";
  readonly pace = PACE;
  readonly #name: BrowserName;
  readonly #page: Page;
  readonly #context: BrowserContext;
  #startScript: Disposable | null = null;

  constructor(name: BrowserName, { context, page, network, environment, limits }: DrivenPage) {
    const hasScripts = environment.javaScript !== false;
    this.clock = new PortableClock(page, network, { ...limits, hasScripts, pace: PACE });
    this.#name = name;
    this.#page = page;
    this.#context = context;
  }

  async setStartScript(source: string): Promise<void> {
    const before = this.#startScript;
    this.#startScript = await this.#page.addInitScript({ content: source });
    await before?.dispose();
  }

  async resize(size: ViewportSize): Promise<void> {
    await this.#page.setViewportSize(size);
  }

  /** Clears the storage of all origins, since Playwright can't clear that of one. */
  async clearStorage(): Promise<void> {
    await this.#context.setStorageState({ cookies: [], origins: [] });
  }

  async capture(area: PageArea): Promise<Buffer> {
    return await this.#page.screenshot({
      ...{ clip: area, fullPage: true },
      ...{ animations: "allow", caret: "initial", scale: "device" },
    });
  }

  async readLayout(): Promise<null> {
    return null;
  }

  async loadText(): Promise<null> {
    return null;
  }

  // A header that Playwright adds to a request would stay on its redirects to other sites.
  async sendHeaders(_url: string, headers: Record<string, string>): Promise<() => Promise<void>> {
    const [name] = Object.keys(headers);
    if (name === undefined) return async () => {};
    throw new CaptureError(
      "option_unsupported",
      PAGE_ERRORS.headersUnsupported(BROWSER_NAMES[this.#name], name),
    );
  }
}
