import { createRequire } from "node:module";
import type { Locator, Page, TestInfo } from "playwright/test";
import { browserLabel } from "../../shared/capture/browser/browser-label.ts";
import {
  type ScreenshotMetadata,
  SIDECAR_ENDING,
  screenshotName,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import { PLAYWRIGHT_ERRORS as ERRORS } from "../texts/playwright.ts";
import { ATTACHMENT_FOLDER } from "./attachments.ts";

/** The page of a test: Playwright's own, of any version. */
export interface TestPage {
  url(): string;
  viewportSize(): { width: number; height: number } | null;
  isClosed(): boolean;
}

/** A locator of Playwright. */
interface TestLocator {
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
}

/** Options of `vrsScreenshot`. */
export interface ScreenshotOptions {
  /** Whether to capture the whole page instead of the viewport. Default: false. */
  readonly fullPage?: boolean;
  /** Element to capture: a selector or a locator. */
  readonly element?: string | TestLocator;
  /** Space around the element, CSS px. */
  readonly padding?: number;
  /** CSS selectors of elements that are covered with gray boxes. */
  readonly masks?: readonly string[];
  /** CSS selectors of elements that are hidden. */
  readonly hide?: readonly string[];
  /** How long the page may take until it is stable, ms. Default: 5000. */
  readonly timeoutMs?: number;
  /** Name of the variant, which has its own baseline. Default: the project of the test. */
  readonly environment?: string;
  /** Share of changed pixels above which the screenshot needs review, 0–1. */
  readonly threshold?: number;
  /** Difference below which two colors count as equal, 0–1. */
  readonly colorThreshold?: number;
  /** Rectangles in which changed pixels don't count, in pixels of the image. */
  readonly ignoreRegions?: readonly { x: number; y: number; width: number; height: number }[];
  /** Earlier names of the screenshot, the latest first. */
  readonly previousNames?: readonly string[];
}

const TIMEOUT_MS = 5_000;

/**
 * Captures a stable screenshot of the test's page, and attaches it for the reporter. The page stays as it was.
 * @param name such as `Cart/empty`
 * @throws Error if the page doesn't become stable, or an option is invalid
 */
export async function vrsScreenshot(
  page: TestPage,
  name: string,
  options: ScreenshotOptions = {},
): Promise<void> {
  if (!isPage(page)) throw new Error(ERRORS.noPage);
  const read = screenshotName.safeParse(name, { error: describeInvalid });
  if (!read.success) throw new Error(ERRORS.badName(name, read.error.issues[0]?.message ?? ""));
  const info = testInfo();
  const { captureStable } = await import("../../shared/capture/page/capture-test-page.ts");
  const { image, note } = await captureStable(page, {
    name,
    element: locatorOf(page, options.element),
    paddingPx: options.padding ?? 0,
    fullPage: options.fullPage ?? false,
    masks: [...(options.masks ?? [])],
    hide: [...(options.hide ?? [])],
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  });
  const attachment = `${ATTACHMENT_FOLDER}${read.data}.png`;
  const metadata = JSON.stringify(metadataOf(page, options, note));
  await info.attach(attachment, { body: image, contentType: "image/png" });
  await info.attach(attachment + SIDECAR_ENDING, { body: metadata, contentType: "application/json" });
}

/** Returns the running test. The runner that started this process has it, whichever Playwright vrs depends on. */
function testInfo(): TestInfo {
  const [, worker = ""] = process.argv;
  try {
    const runner: typeof import("playwright/test") = createRequire(worker)("playwright/test");
    return runner.test.info();
  } catch (cause) {
    throw new Error(ERRORS.noTest, { cause });
  }
}

function isPage(page: TestPage): page is TestPage & Page {
  return typeof page === "object" && "evaluate" in page && "mainFrame" in page;
}

function isLocator(element: TestLocator): element is TestLocator & Locator {
  return "elementHandles" in element;
}

function locatorOf(page: Page, element: ScreenshotOptions["element"]): Locator | null {
  if (element === undefined) return null;
  if (typeof element === "string") return page.locator(element).first();
  if (!isLocator(element)) throw new Error(ERRORS.noLocator);
  return element;
}

function metadataOf(page: Page, options: ScreenshotOptions, note: string | null): ScreenshotMetadata {
  const { environment, threshold, colorThreshold, ignoreRegions, previousNames } = options;
  const browser = page.context().browser();
  const viewport = page.viewportSize();
  const url = page.url();
  return {
    ...(browser && { browser: `${browserLabel(browser.browserType().name())} ${browser.version()}` }),
    ...(viewport && { viewport }),
    ...(isPageUrl(url) && { url }),
    ...(note !== null && { note }),
    ...(environment !== undefined && { environment }),
    ...(threshold !== undefined && { threshold }),
    ...(colorThreshold !== undefined && { colorThreshold }),
    ...(ignoreRegions && { ignoreRegions: [...ignoreRegions] }),
    ...(previousNames && { previousNames: [...previousNames] }),
  };
}
