import type { BrowserContext, Page, ViewportSize } from "playwright";
import type { Environment } from "../../contracts/capture/environment.ts";
import type { PageLayout } from "../capsule/read-layout.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { NetworkActivity } from "../network/network-activity.ts";
import type { PageArea } from "../screenshot/capture-area.ts";
import type { PageClock } from "./page-clock.ts";

/** What each browser does differently for a page. The rest is the same for all browsers. */
export interface PageDriver {
  readonly clock: PageClock;
  /** The browser's id of the page's context, for the memory limit. Empty where memory is not limited. */
  readonly contextId: string;
  /** How much faster the page's clock runs than the wall clock. 1 where the browser itself skips the waiting. */
  readonly pace: number;
  /** Sets the script that runs in each document before the page's own, in place of the previous one. */
  setStartScript(source: string): Promise<void>;
  /** Resizes the viewport, CSS px. */
  resize(size: ViewportSize): Promise<void>;
  /** Clears everything that the origins have stored, except cookies. */
  clearStorage(origins: readonly string[]): Promise<void>;
  /** Captures an area of the page as PNG, also outside the viewport. Equal pixels give equal bytes. */
  capture(area: PageArea): Promise<Buffer>;
  /** Reads the layout of the page as it is. Returns null for a browser that can't. */
  readLayout(): Promise<PageLayout | null>;
  /** Reads a text over the network as the page could, without its cookies. Returns null if it can't be read. */
  loadText(url: string, maxChars: number): Promise<string | null>;
  /**
   * Adds headers to requests of the URL's origin to itself, until the returned function is called.
   * @throws CaptureError `option_unsupported`
   */
  sendHeaders(url: string, headers: Record<string, string>): Promise<() => Promise<void>>;
}

/** The page that a driver drives. */
export interface DrivenPage {
  context: BrowserContext;
  page: Page;
  network: NetworkActivity;
  environment: Environment;
  limits: CaptureLimits;
}
