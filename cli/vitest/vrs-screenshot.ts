import { relative, sep } from "node:path";
import type { Frame, FrameLocator, Page } from "playwright/test";
import { browserLabel } from "../../shared/capture/browser/browser-label.ts";
import type { Collection } from "../adapters/collection.ts";
import { type CompareOptions, metadataOfOptions } from "../adapters/screenshot-options.ts";
import { ADAPTER_ERRORS as ERRORS } from "../texts/adapters.ts";

/** Options of the command `vrsScreenshot`. */
export interface VitestScreenshotOptions extends CompareOptions {
  /** Selector of the element to capture, such as `locator.selector`. Default: the body. */
  readonly element?: string;
  /** Space around the element, CSS px. */
  readonly padding?: number;
  /** CSS selectors of elements that are covered with gray boxes. */
  readonly masks?: readonly string[];
  /** CSS selectors of elements that are hidden. */
  readonly hide?: readonly string[];
  /** How long the page may take until it is stable, ms. Default: 5000. */
  readonly timeoutMs?: number;
}

/** The commands that the plugin adds, for the interface `BrowserCommands` of Vitest. */
export interface VrsCommands {
  vrsScreenshot(name: string, options?: VitestScreenshotOptions): Promise<void>;
}

/** The context that Vitest's Playwright provider gives to a command. */
interface CommandContext {
  page: Page;
  iframe: FrameLocator;
  frame(): Promise<Frame>;
  testPath: string | undefined;
  project: { config: { browser: { name: string } } };
}

const TIMEOUT_MS = 5_000;

/**
 * Returns the command, which runs in Vitest's process.
 * @param collectionOf returns where its screenshots go
 * @param hasBrowsers whether the tests run in several browsers, so that each one is an environment
 */
export function screenshotCommand(collectionOf: () => Collection, hasBrowsers: boolean) {
  return async (context: unknown, name: string, options: VitestScreenshotOptions = {}): Promise<void> => {
    const collection = collectionOf();
    if (!collection.enabled) return;
    if (!isPlaywright(context)) throw new Error(ERRORS.noPlaywright);
    const { page, iframe, testPath, project } = context;
    const element = iframe.locator(options.element ?? "body").first();
    await element.scrollIntoViewIfNeeded();
    const { captureStable } = await import("../../shared/capture/page/capture-test-page.ts");
    const { image, note } = await captureStable(page, {
      ...{ name, element, fullPage: false },
      frame: await context.frame(),
      paddingPx: options.padding ?? 0,
      masks: [...(options.masks ?? [])],
      hide: [...(options.hide ?? [])],
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    });
    const browser = page.context().browser();
    await collection.add({
      ...{ name, image },
      metadata: {
        ...(browser && { browser: `${browserLabel(browser.browserType().name())} ${browser.version()}` }),
        ...(testPath && { testFile: relative(collection.root, testPath).split(sep).join("/") }),
        ...(note !== null && { note }),
        ...(hasBrowsers && { environment: project.config.browser.name }),
        ...metadataOfOptions(options),
      },
    });
  };
}

function isPlaywright(context: unknown): context is CommandContext {
  return typeof context === "object" && context !== null && "page" in context && "iframe" in context;
}
