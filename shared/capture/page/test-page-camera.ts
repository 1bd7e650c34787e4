import type { Browser, CDPSession, Page } from "playwright";
import { drawsBeyondWindow } from "../browser/browser-args.ts";
import { browserLabel } from "../browser/browser-label.ts";
import { type PageArea, takeScreenshot } from "../screenshot/capture-area.ts";
import { TEST_PAGE_NOTES as NOTES } from "../texts.ts";
import { areaOfWindow } from "./in-page/element-areas.ts";
import { readDevice } from "./in-page/read-device.ts";

/** Captures areas of a test's page, also beyond its window. */
export interface TestPageCamera {
  /** What reviewers should know about the captures so far. */
  readonly note: string | null;
  capture(area: PageArea): Promise<Buffer>;
}

/** Opens the camera that the page's browser allows. Only a Chromium that draws beyond its window isn't resized. */
export async function openTestPageCamera(page: Page): Promise<TestPageCamera> {
  const browser = page.context().browser();
  const name = browser?.browserType().name() ?? "chromium";
  if (name !== "chromium") return new PlaywrightCamera(page, NOTES.otherBrowser(browserLabel(name)));
  return browser && (await isWhole(browser)) ? new ChromiumCamera(page) : new PlaywrightCamera(page, null);
}

/** Whether browsers draw pages beyond their windows. */
const whole = new WeakMap<Browser, Promise<boolean>>();

async function isWhole(browser: Browser): Promise<boolean> {
  const known = whole.get(browser) ?? readWhole(browser);
  whole.set(browser, known);
  return await known;
}

async function readWhole(browser: Browser): Promise<boolean> {
  // A remote browser may not tell.
  const session = await browser.newBrowserCDPSession().catch(() => null);
  if (session === null) return false;
  const info = await session.send("SystemInfo.getInfo").catch(() => null);
  await session.detach().catch(() => {});
  return info !== null && drawsBeyondWindow(info.commandLine);
}

/** The sessions of pages. If one ended, the page would lose the size that Playwright emulates. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Captures by the DevTools protocol, as runs do. The page notices nothing. */
class ChromiumCamera implements TestPageCamera {
  readonly note = null;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async capture(area: PageArea): Promise<Buffer> {
    const page = this.#page;
    const opened = sessions.get(page) ?? page.context().newCDPSession(page);
    sessions.set(page, opened);
    const session = await opened;
    const size = page.viewportSize();
    // A screenshot ends what another session emulates. So this one emulates the same.
    if (size !== null) {
      const device = await page.evaluate(readDevice);
      await session.send("Emulation.setDeviceMetricsOverride", { ...size, ...device });
    }
    return await takeScreenshot(session, area);
  }
}

/** Captures with Playwright. Beyond the window, it resizes a page of Chromium for a moment. */
class PlaywrightCamera implements TestPageCamera {
  readonly #page: Page;
  #note: string | null;
  readonly #resizes: boolean;

  constructor(page: Page, note: string | null) {
    this.#page = page;
    this.#note = note;
    this.#resizes = note === null;
  }

  get note(): string | null {
    return this.#note;
  }

  async capture(area: PageArea): Promise<Buffer> {
    const shown = await this.#page.evaluate(areaOfWindow);
    const [x, y] = [area.x - shown.x, area.y - shown.y];
    const isShown = x >= 0 && y >= 0 && x + area.width <= shown.width && y + area.height <= shown.height;
    if (!isShown && this.#resizes) this.#note = NOTES.resized;
    return await this.#page.screenshot({
      ...(isShown ? { clip: { ...area, x, y } } : { clip: area, fullPage: true }),
      ...{ animations: "allow", caret: "initial", scale: "device" },
    });
  }
}
