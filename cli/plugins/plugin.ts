import type { NetworkRule } from "../../shared/contracts/capture/network-rule.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import type { PluginPage } from "./plugin-page.ts";

/** Capture settings of a page, which plugins may change beforehand. */
export interface PageSettings {
  /** Request headers, sent to the application's origin only. */
  headers?: Record<string, string>;
  /** CSS selectors of elements painted over with one flat color. */
  masks?: string[];
  /** CSS selectors of elements made invisible. They keep their space. */
  hide?: string[];
  /** CSS selector of an element that must be visible before the capture. */
  waitForSelector?: string;
  /** Rules for requests of the page. The first match decides. */
  network?: NetworkRule[];
}

/** A page that is about to be captured in one environment and at one width, with all its states. */
export interface PageToCapture extends Omit<ScreenshotKey, "state"> {
  /** Absolute URL. */
  url: string;
  /** The configured settings, changed by earlier plugins. */
  settings: Readonly<PageSettings>;
}

/** A loaded page before its steps and screenshots. */
export interface OpenPage extends PageToCapture {
  /** Playwright's page. Its clock advances as long as the hook runs. */
  page: PluginPage;
}

/** The page of a session's `url`, before the steps of the login. */
export interface LoginPage {
  page: PluginPage;
  /** Name of the session. */
  session: string;
}

/** A captured screenshot before its comparison. */
export interface CapturedPage extends PageToCapture, ScreenshotKey {
  png: Uint8Array;
  /** SHA-256 of `png`, hex. */
  hash: string;
  /** px. */
  width: number;
  height: number;
  stable: boolean;
}

type Awaitable<T> = T | Promise<T>;

/**
 * A plugin of the command-line tool: a name and optional hooks. Asynchronous hooks are awaited. Plugins are
 * called in the order of the configuration, one after the other. Pages are captured in parallel, so hooks of
 * different pages may overlap. A hook that throws ends the check with an error that names the plugin, the
 * hook and the page, except for hooks that act on a page.
 */
export interface Plugin {
  /** Name of the plugin in messages. */
  readonly name: string;
  /** Runs before a page is opened. Returned settings replace the page's, field by field. */
  beforePage?(page: PageToCapture): Awaitable<PageSettings | undefined>;
  /**
   * Runs on a page in each of its loads, before its steps and screenshots. If it throws, or takes longer than 30
   * seconds, the page fails.
   */
  onPage?(opened: OpenPage): Awaitable<void>;
  /**
   * Runs before the steps of each session's login. If it throws, or takes longer than 30 seconds, the login fails.
   */
  onLogin?(opened: LoginPage): Awaitable<void>;
  /** Runs after the capture of a page, for each of its states, before its comparison. */
  afterPage?(page: CapturedPage): Awaitable<void>;
  /** Runs after the comparison. Returned notes are added to the screenshot. */
  onResult?(shot: Readonly<CheckedScreenshot>): Awaitable<readonly string[] | undefined>;
  /** Runs after the check, when result and report are written. */
  onReport?(result: Readonly<CheckResult>): Awaitable<void>;
}

export const HOOKS = ["beforePage", "onPage", "onLogin", "afterPage", "onResult", "onReport"] as const;
export type Hook = (typeof HOOKS)[number];
