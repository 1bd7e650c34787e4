import type { PooledBrowser } from "../browser/pooled-browser.ts";
import { ChromiumDriver } from "./chromium-driver.ts";
import type { DrivenPage, PageDriver } from "./page-driver.ts";
import { PortableDriver } from "./portable-driver.ts";

/** Opens the driver of a page. Only Chromium has a protocol that controls a page's clock. */
export async function openDriver(browser: PooledBrowser, driven: DrivenPage): Promise<PageDriver> {
  return browser.isPortable ? new PortableDriver(browser.name, driven) : await ChromiumDriver.open(driven);
}
