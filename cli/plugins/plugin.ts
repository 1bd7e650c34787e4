import type { NetworkRule } from "../../shared/contracts/runs/capture-options.ts";
import type { CheckedShot, CheckResult, Shot } from "../check/check-result.ts";

/** How a page is captured, which a plugin may change before it is. */
export interface PageSettings {
  /** Request headers, sent to the application's origin only. */
  headers?: Record<string, string>;
  /** CSS selectors of elements painted over with one flat colour. */
  masks?: string[];
  /** CSS selectors of elements made invisible; they keep their place. */
  hide?: string[];
  /** CSS selector of an element that must be visible before the screenshot. */
  waitForSelector?: string;
  /** What to do with requests of the page. The first rule that matches decides. */
  network?: NetworkRule[];
}

/** A page that is about to be captured. */
export interface PageToCapture extends Shot {
  /** Absolute URL. */
  url: string;
  /** The configuration's, as the plugins before this one left them. */
  settings: Readonly<PageSettings>;
}

/** A page that was captured, before it is compared. */
export interface CapturedPage extends PageToCapture {
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
 * A plugin of the command-line tool: a name, and whichever hooks it has. Hooks may be asynchronous and are waited for.
 * Several plugins are asked in the order of the configuration, each after the one before it is done; pages are captured
 * side by side, so that hooks of different pages may run at once. A hook that throws ends the check with a fault that
 * names the plugin, the hook and the page.
 */
export interface Plugin {
  /** Says in messages which plugin it is. */
  readonly name: string;
  /** Before a page is opened. Settings that it gives back replace the page's, field by field. */
  beforePage?(page: PageToCapture): Awaitable<PageSettings | undefined>;
  /** After a page was captured, and before it is compared. */
  afterPage?(page: CapturedPage): Awaitable<void>;
  /** After a screenshot was judged. Notes that it gives back stand beside the screenshot. */
  onResult?(shot: Readonly<CheckedShot>): Awaitable<readonly string[] | undefined>;
  /** After the check, when result and report are written. */
  onReport?(result: Readonly<CheckResult>): Awaitable<void>;
}

export const HOOKS = ["beforePage", "afterPage", "onResult", "onReport"] as const;
export type Hook = (typeof HOOKS)[number];
