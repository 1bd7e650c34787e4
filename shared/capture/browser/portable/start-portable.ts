import type { Environment } from "../../../contracts/capture/environment.ts";
import { CaptureError } from "../../capture-types.ts";
import { BROWSER_MESSAGES, PAGE_ERRORS } from "../../texts.ts";
import { launchPortable } from "../launch-browser.ts";
import { unsupportedOptions } from "../page-environment.ts";
import { type Egress, PooledBrowser } from "../pooled-browser.ts";
import { findPortableBrowser, type PortableBinary } from "./find-portable-browser.ts";

interface PortableOptions extends Egress {
  firefoxPath?: string | null;
  cacheDir: string;
  whyNotUnsandboxed?: () => Promise<string | null>;
}

/**
 * Starts Firefox or WebKit. A machine without it can still capture other pages.
 * @throws CaptureError `browser_missing`
 */
export async function startPortable(
  name: PortableBinary["name"],
  options: PortableOptions,
): Promise<PooledBrowser> {
  const { firefoxPath = null, cacheDir, direct = false } = options;
  const binary = await findPortableBrowser(name, { firefoxPath, home: cacheDir });
  const launched = await launchPortable(binary, { direct }).catch((error: unknown) => {
    throw new CaptureError("browser_missing", BROWSER_MESSAGES.notStarted(name, firstLine(error)));
  });
  const browser = new PooledBrowser(name, launched, options);
  const reason = browser.sandbox ? null : await options.whyNotUnsandboxed?.();
  if (!reason) return browser;
  await browser.close();
  throw new CaptureError("browser_missing", BROWSER_MESSAGES.noSandboxIn(name, reason));
}

/** @throws CaptureError `option_unsupported` */
export function refuseUnsupported(browser: PooledBrowser, environment: Environment): void {
  const options = browser.emulatesAll ? [] : unsupportedOptions(environment);
  if (options.length > 0)
    throw new CaptureError("option_unsupported", PAGE_ERRORS.environmentUnsupported(options));
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
