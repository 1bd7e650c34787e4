import type { CDPSession, Page, ViewportSize } from "playwright";
import type { Environment } from "../../contracts/capture/environment.ts";
import { contextOptions } from "../browser/page-environment.ts";
import { type PageLayout, readLayout } from "../capsule/read-layout.ts";
import { loadText } from "../network/load-text.ts";
import { sendOriginHeaders } from "../network/rules/origin-headers.ts";
import { type PageArea, takeScreenshot } from "../screenshot/capture-area.ts";
import { nestCalls, openCall } from "./nest-calls.ts";
import type { DrivenPage, PageDriver } from "./page-driver.ts";
import { VirtualTime } from "./virtual-time.ts";

/** Parts of an open driver. */
interface DriverParts {
  page: Page;
  session: CDPSession;
  environment: Environment;
  clock: VirtualTime;
  contextId: string;
}

/** Drives a page of Chromium by its DevTools protocol. */
export class ChromiumDriver implements PageDriver {
  readonly clock: VirtualTime;
  readonly contextId: string;
  readonly pace = 1;
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #environment: Environment;
  #startScript: string | null = null;

  private constructor({ page, session, environment, clock, contextId }: DriverParts) {
    this.clock = clock;
    this.contextId = contextId;
    this.#page = page;
    this.#session = session;
    this.#environment = environment;
  }

  static async open({ context, page, network, environment, limits }: DrivenPage): Promise<ChromiumDriver> {
    const inside = await openCall(page);
    nestCalls(page, "evaluate", { name: "page.evaluate", inside });
    const openSession = async () => {
      const opened = await context.newCDPSession(page);
      nestCalls(opened, "send", { name: "cdpSession.send", inside });
      return opened;
    };
    const session = await openSession();
    const size = page.viewportSize();
    const hasScripts = environment.javaScript !== false;
    const [clock, { targetInfo }] = await Promise.all([
      VirtualTime.start(openSession, { network, limits: { ...limits, hasScripts } }),
      session.send("Target.getTargetInfo"),
      session.send("Page.enable"),
      size && emulateMetrics(session, environment, size),
    ]);
    const contextId = targetInfo.browserContextId ?? "";
    return new ChromiumDriver({ page, session, environment, clock, contextId });
  }

  /** Adds the script to documents of the page's own browser process. Frames of other sites do not get it. */
  async setStartScript(source: string): Promise<void> {
    const before = this.#startScript;
    const [{ identifier }] = await Promise.all([
      this.#session.send("Page.addScriptToEvaluateOnNewDocument", { source }),
      before && this.#session.send("Page.removeScriptToEvaluateOnNewDocument", { identifier: before }),
    ]);
    this.#startScript = identifier;
  }

  async resize(size: ViewportSize): Promise<void> {
    await this.#page.setViewportSize(size);
    await emulateMetrics(this.#session, this.#environment, size);
  }

  async clearStorage(origins: readonly string[]): Promise<void> {
    const clear = (origin: string) =>
      this.#session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await Promise.all(origins.map(clear));
  }

  async capture(area: PageArea): Promise<Buffer> {
    return await takeScreenshot(this.#session, area);
  }

  async readLayout(): Promise<PageLayout> {
    return await readLayout(this.#page, this.#session);
  }

  async loadText(url: string, maxChars: number): Promise<string | null> {
    return await loadText(this.#session, url, maxChars);
  }

  async sendHeaders(url: string, headers: Record<string, string>): Promise<() => Promise<void>> {
    return await sendOriginHeaders(this.#session, url, headers);
  }
}

/**
 * Emulates the scale and the viewport of a device for screenshots, too. Playwright's own session emulates them for the
 * page, and a screenshot by another session would end that.
 */
async function emulateMetrics(
  session: CDPSession,
  environment: Environment,
  { width, height }: ViewportSize,
): Promise<void> {
  const { deviceScaleFactor = 1, isMobile: mobile = false } = contextOptions(environment);
  await session.send("Emulation.setDeviceMetricsOverride", {
    ...{ width, height, deviceScaleFactor, mobile, screenWidth: width, screenHeight: height },
    screenOrientation:
      mobile && height >= width
        ? { angle: 0, type: "portraitPrimary" }
        : { angle: mobile ? 90 : 0, type: "landscapePrimary" },
  });
}
