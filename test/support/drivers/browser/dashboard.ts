import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright";
import { until } from "../until.ts";
import { Vrs } from "../vrs.ts";
import { launchBrowser, type Visit, visit } from "./report-browser.ts";

const ROOT = join(import.meta.dirname, "../../../..");

/** The dashboard of a service, in a browser that is signed in with the service's API key. */
export class Dashboard {
  readonly vrs: Vrs;
  readonly page: Page;
  /** What the page must not emit. */
  readonly complaints: string[];
  readonly #browser: Browser;

  private constructor(vrs: Vrs, browser: Browser, { page, complaints }: Visit) {
    this.vrs = vrs;
    this.#browser = browser;
    this.page = page;
    this.complaints = complaints;
  }

  /** Builds the dashboard, starts a service, and signs in. */
  static async start(env: Record<string, string> = {}): Promise<Dashboard> {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    const [vrs, browser] = await Promise.all([Vrs.start(env), launchBrowser()]);
    const visited = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true });
    const dashboard = new Dashboard(vrs, browser, visited);
    await dashboard.#signIn();
    return dashboard;
  }

  async #signIn(): Promise<void> {
    await this.page.goto(`${this.vrs.baseUrl}/sign-in`);
    await this.page.getByLabel("API key").fill(this.vrs.key);
    await this.button("Sign in with API key").click();
    await this.page.getByRole("heading", { name: "Runs" }).waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** The open dialog. */
  dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  /** The item of a list with this text. */
  item(hasText: string): Locator {
    return this.page.getByRole("listitem").filter({ hasText });
  }

  /** The section with this heading. */
  section(name: string): Locator {
    return this.page.getByRole("region", { name });
  }

  /** Opens a page of the settings by its links. */
  async openSettings(name: string): Promise<void> {
    await this.page.getByRole("link", { name: "Settings" }).click();
    await this.page.getByRole("link", { name }).click();
  }

  /** Presses a button of the open dialog, which saves its form or confirms its question. */
  async submit(name: string): Promise<void> {
    await this.dialog().getByRole("button", { name }).click();
  }

  /** Presses a button that asks, and the button with the same name that confirms. */
  async confirm(name: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole("button", { name }).click();
    await this.submit(name);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.vrs.stop();
  }
}

/** Waits until the page has no unsaved decisions: it asks about them before it is left, also after they are stored. */
export async function decisionsSaved(page: Page): Promise<void> {
  await until(() => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true }))));
}
