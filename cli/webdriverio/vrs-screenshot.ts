import { relative, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestScreenshot } from "../adapters/collection.ts";
import { type CompareOptions, metadataOfOptions } from "../adapters/screenshot-options.ts";
import { ADAPTER_ERRORS as ERRORS } from "../texts/adapters.ts";

/** Options of `browser.vrsScreenshot`. */
export interface WebdriverScreenshotOptions extends CompareOptions {
  /** Selector of the element to capture. Default: the window. */
  readonly element?: string;
  /** CSS selectors of elements that are hidden. */
  readonly hide?: readonly string[];
  /** How long the page may take until it is stable, ms. Default: 5000. */
  readonly timeoutMs?: number;
}

/** The browser of WebdriverIO, of any version. */
export interface WebdriverBrowser {
  capabilities: { browserName?: string; browserVersion?: string };
  addCommand(
    name: string,
    command: (name: string, options?: WebdriverScreenshotOptions) => Promise<void>,
  ): void;
  execute<R>(script: string, ...args: unknown[]): Promise<R>;
  takeScreenshot(): Promise<string>;
  takeElementScreenshot(elementId: string): Promise<string>;
  $(selector: string): { elementId: Promise<string>; waitForDisplayed(): Promise<unknown> };
}

/** Returns whether a value is WebdriverIO's browser. */
export function isBrowser(browser: unknown): browser is WebdriverBrowser {
  return (
    typeof browser === "object" && browser !== null && "addCommand" in browser && "takeScreenshot" in browser
  );
}

const TIMEOUT_MS = 5_000;
const INTERVAL_MS = 100;
const STYLE_ID = "vrs-screenshot-style";
/** Finishes transitions, stops animations, and hides the caret. */
const STILL =
  "*, ::before, ::after { animation: none !important; transition: none !important; caret-color: transparent !important }";
const ADD_STYLE = `
  const style = document.createElement("style");
  style.id = ${JSON.stringify(STYLE_ID)};
  style.textContent = arguments[0];
  document.documentElement.append(style);`;
const REMOVE_STYLE = `document.getElementById(${JSON.stringify(STYLE_ID)})?.remove();`;

/**
 * Captures the window or an element once two captures are equal, with its animations stopped.
 * @throws Error if the page keeps changing
 */
export async function vrsScreenshot(
  browser: WebdriverBrowser,
  name: string,
  options: WebdriverScreenshotOptions,
  { testFile, root }: { testFile: string | undefined; root: string },
): Promise<TestScreenshot> {
  const { element, hide = [], timeoutMs = TIMEOUT_MS } = options;
  const hidden = hide.map(selector => `${selector} { visibility: hidden !important }`);
  await browser.execute(ADD_STYLE, [STILL, ...hidden].join("\n"));
  try {
    const take = await captureOf(browser, element);
    const width = await browser.execute<number>("return innerWidth;");
    const { browserName, browserVersion } = browser.capabilities;
    return {
      name,
      image: await untilStable(take, name, timeoutMs),
      metadata: {
        ...(browserName && { browser: [browserName, browserVersion].join(" ").trim() }),
        viewport: { width },
        ...(testFile && { testFile: relative(root, pathOf(testFile)).split(sep).join("/") }),
        ...metadataOfOptions(options),
      },
    };
  } finally {
    await browser.execute(REMOVE_STYLE);
  }
}

async function captureOf(
  browser: WebdriverBrowser,
  selector: string | undefined,
): Promise<() => Promise<string>> {
  if (selector === undefined) return () => browser.takeScreenshot();
  const element = browser.$(selector);
  await element.waitForDisplayed();
  const id = await element.elementId;
  return () => browser.takeElementScreenshot(id);
}

async function untilStable(take: () => Promise<string>, name: string, timeoutMs: number): Promise<Buffer> {
  const end = performance.now() + timeoutMs;
  for (let before = await take(); ; ) {
    const next = await take();
    if (next === before) return Buffer.from(next, "base64");
    if (performance.now() > end) throw new Error(ERRORS.unstable(name, timeoutMs));
    before = next;
    await delay(INTERVAL_MS);
  }
}

/** WebdriverIO names test files by URL. */
function pathOf(file: string): string {
  return file.startsWith("file:") ? fileURLToPath(file) : file;
}
