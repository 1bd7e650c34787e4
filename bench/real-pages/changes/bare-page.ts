import { type Browser, type CDPSession, chromium, type Page } from "playwright";
import { DEFAULT_LIMITS } from "../../../shared/capture/capture-limits.ts";
import { launchOptions } from "../../support/peer-tools.ts";
import { LOCAL_ONLY_ARG } from "../corpus/local-only.ts";
import { applyChange } from "./in-page/apply-change.ts";
import { chooseChange } from "./in-page/choose-change.ts";
import type { ChangeKind, PageChange } from "./page-change.ts";

const QUIET_MS = 3_000;
/** Time for fonts and late scripts of a page without requests. */
const IDLE_MS = 300;
/** A replaced image fails to load in less. */
const IMAGE_FAILURE_MS = 200;

/** Starts the browser that verifies changes, separate from the engine under test. */
export async function launchBareBrowser(): Promise<Browser> {
  const launch = await launchOptions();
  return await chromium.launch({ ...launch, args: [...launch.args, LOCAL_ONLY_ARG, "--disable-lcd-text"] });
}

/** A page that can be frozen. */
export class BarePage {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Opens a page with the engine's settings, so that both see the same page. */
  static async open(browser: Browser): Promise<BarePage> {
    const context = await browser.newContext({
      locale: "en-US",
      timezoneId: "UTC",
      reducedMotion: "reduce",
      colorScheme: "light",
      serviceWorkers: "block",
      acceptDownloads: false,
    });
    const page = await context.newPage();
    page.on("dialog", dialog => void dialog.dismiss().catch(() => {}));
    return new BarePage(page, await context.newCDPSession(page));
  }

  /** Loads a page, waits until it is idle, and stops its scripts and videos. */
  async freeze(url: string, width: number): Promise<void> {
    await this.#session.send("Emulation.setScriptExecutionDisabled", { value: false });
    await this.#page.setViewportSize({ width, height: 800 });
    await this.#page.goto(url);
    await this.#page.waitForLoadState("networkidle", { timeout: QUIET_MS }).catch(() => {});
    await this.#page.waitForTimeout(IDLE_MS);
    await this.#page.evaluate(() => {
      window.scrollTo({ top: 0, behavior: "instant" });
      for (const video of document.querySelectorAll("video")) video.pause();
    });
    await this.#session.send("Emulation.setScriptExecutionDisabled", { value: true });
  }

  /** Draws a change that the page allows; null when no element fits it. */
  async choose(kind: ChangeKind, draw: number, secondDraw: number): Promise<PageChange | null> {
    const maxHeightPx = DEFAULT_LIMITS.maxHeightPx;
    return await this.#page.evaluate(chooseChange, { kind, draw, secondDraw, maxHeightPx });
  }

  /** Makes a change. Returns false when its element is missing. */
  async apply(change: PageChange): Promise<boolean> {
    const isMade = await this.#page.evaluate(applyChange, change);
    await this.#page.waitForTimeout(IMAGE_FAILURE_MS);
    return isMade;
  }

  /** Captures as much of the page as the engine does. */
  async screenshot(): Promise<Buffer> {
    const size = await this.#page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { width: scrollWidth, height: scrollHeight };
    });
    const height = Math.min(size.height, DEFAULT_LIMITS.maxHeightPx);
    const clip = { x: 0, y: 0, width: size.width, height };
    return await this.#page.screenshot({ fullPage: true, animations: "disabled", clip });
  }
}
