import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { BrowserName } from "../../../contracts/capture/environment.ts";
import { CaptureError } from "../../capture-types.ts";
import { BROWSER_MESSAGES } from "../../texts.ts";
import { browserEnvironment, systemFirefoxes } from "../browser-choice.rule.ts";

/** A browser that is driven with what Playwright can do in every browser. */
export interface PortableBinary {
  name: Exclude<BrowserName, "chromium">;
  executablePath: string;
  env: Record<string, string>;
  /** Playwright's channel of a Firefox that Playwright did not build; null for Playwright's own browsers. */
  channel: "moz-firefox" | null;
}

/**
 * Finds Firefox or WebKit: `firefoxPath`, Playwright's own, or the system's Firefox.
 * @param firefoxPath null for none
 * @param home the browser's home folder
 * @throws CaptureError `browser_missing` that says how to install it
 */
export async function findPortableBrowser(
  name: PortableBinary["name"],
  { firefoxPath, home }: { firefoxPath: string | null; home: string },
): Promise<PortableBinary> {
  const env = browserEnvironment(process, resolve(home));
  const own = (await import("playwright"))[name].executablePath();
  const isChosen = name === "firefox" && firefoxPath !== null;
  const system = name === "firefox" ? systemFirefoxes(process) : [];
  const candidates = isChosen ? [resolve(firefoxPath)] : [own, ...system];
  const executablePath = candidates.find(path => existsSync(path));
  if (executablePath !== undefined)
    return { name, executablePath, env, channel: executablePath === own ? null : "moz-firefox" };
  const message = isChosen ? BROWSER_MESSAGES.noFirefoxAt(firefoxPath) : BROWSER_MESSAGES.notInstalled(name);
  throw new CaptureError("browser_missing", message);
}
