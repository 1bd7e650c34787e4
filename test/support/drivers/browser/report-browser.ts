import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { findBrowser } from "../../../../shared/capture/browser/browser-binary.ts";
import { BROWSER_CACHE } from "../runner.ts";

/** For a busy machine. A page that misses an event reads again only after a minute. */
const TIMEOUT_MS = 45_000;

export async function launchBrowser(): Promise<Browser> {
  const cacheDir = BROWSER_CACHE;
  const found = await findBrowser({ chromiumPath: process.env.CHROMIUM_PATH ?? null, cacheDir });
  return await chromium.launch({ ...found, args: ["--no-sandbox"] });
}

/** A page, and everything that it must not emit: errors, violations of its policy, and dialogs. */
export interface Visit extends AsyncDisposable {
  page: Page;
  complaints: string[];
}

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", error => complaints.push(error.message));
  page.on("console", message => {
    if (message.type() !== "error") return;
    // The message about a failed request doesn't name it.
    const path = URL.parse(message.location().url)?.pathname;
    complaints.push(path === undefined ? message.text() : `${message.text()} at ${path}`);
  });
  page.on("dialog", dialog => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Waits until the viewer shows the screenshot with this title, because navigation takes a moment. */
export async function viewerShows(page: Page, title: string): Promise<void> {
  await page.waitForFunction(text => document.querySelector("#viewer-title")?.textContent === text, title);
}
