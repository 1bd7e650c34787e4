import type { Browser } from "playwright";
import { withTimeout } from "../../async.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { BrowserControl } from "../drivers/browser-control.ts";
import { ChromiumControl } from "../drivers/chromium-control.ts";
import { PortableControl } from "../drivers/portable-control.ts";
import { BROWSER_MESSAGES } from "../texts.ts";
import { browserArgs, omittedArgs } from "./browser-args.ts";
import type { BrowserBinary } from "./browser-binary.ts";
import type { PortableBinary } from "./portable/find-portable-browser.ts";
import { FIREFOX_PREFERENCES } from "./portable/firefox-preferences.ts";

/** The service handles signals, so that its pages can finish first. */
const WITHOUT_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
/** Nothing listens here. Pages that their context gives no proxy reach nothing. */
const DEAD_PROXY = { server: "http://127.0.0.1:9" };

/** A browser that has started. */
export interface LaunchedBrowser {
  browser: Browser;
  control: BrowserControl;
  /** Whether it runs in its sandbox. */
  sandbox: boolean;
  /** Whether it can emulate all options of environments. A Firefox that Playwright did not build can't. */
  emulatesAll: boolean;
}

/**
 * Starts Chromium, without its sandbox where the sandbox can't be built.
 * @param sandbox false when it is known that the sandbox can't be built
 * @throws Error of Playwright's
 */
export async function launchChromium(
  binary: BrowserBinary,
  limits: CaptureLimits,
  { direct, sandbox }: { direct: boolean; sandbox: boolean },
): Promise<LaunchedBrowser> {
  const isPossible = sandbox && !isLinuxRoot();
  try {
    return await launch(binary, limits, { direct, sandbox: isPossible });
  } catch (error) {
    if (!isPossible || !isSandboxFailure(error)) throw error;
    return await launch(binary, limits, { direct, sandbox: false });
  }
}

async function launch(
  { executablePath, env }: BrowserBinary,
  limits: CaptureLimits,
  { direct, sandbox }: { direct: boolean; sandbox: boolean },
): Promise<LaunchedBrowser> {
  const args = browserArgs({ heapMiB: limits.heapMiB, direct });
  const ignoreDefaultArgs = await omittedArgs();
  const { chromium } = await import("playwright");
  const browser = await chromium.launch({
    ...{ executablePath, env, chromiumSandbox: sandbox, args, ignoreDefaultArgs },
    ...WITHOUT_SIGNALS,
  });
  const hung = () => new Error(BROWSER_MESSAGES.doesNotRespond);
  const starting = ChromiumControl.start(browser, args, limits.pageMiB * 1024 * 1024);
  const control = await withTimeout(starting, limits.openMs, hung).catch((error: unknown) => {
    void browser.close().catch(() => {});
    throw error;
  });
  return { browser, control, sandbox, emulatesAll: true };
}

/** Starts Firefox or WebKit. @throws Error of Playwright's */
export async function launchPortable(
  { name, executablePath, env, channel }: PortableBinary,
  { direct }: { direct: boolean },
): Promise<LaunchedBrowser> {
  const { [name]: type } = await import("playwright");
  const browser = await type.launch({
    ...{ executablePath, env, ...WITHOUT_SIGNALS },
    ...(channel !== null && { channel }),
    ...(name === "firefox" && { firefoxUserPrefs: FIREFOX_PREFERENCES }),
    ...(!direct && { proxy: DEAD_PROXY }),
  });
  // Firefox always has a sandbox. Playwright starts WebKit without one.
  return {
    ...{ browser, control: new PortableControl(browser) },
    ...{ sandbox: name === "firefox", emulatesAll: channel === null },
  };
}

/** Returns whether this process belongs to root of Linux, for whom Chromium never starts with its sandbox. */
function isLinuxRoot(): boolean {
  return process.platform === "linux" && process.geteuid?.() === 0;
}

/**
 * Returns whether Chromium did not start because it can't build its sandbox. That happens where unprivileged user
 * namespaces are off, and in containers that forbid them. The source files in its last output identify the cause.
 */
function isSandboxFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /zygote_host_impl_linux\.cc|credentials\.cc|Failed to move to new namespace/.test(error.message)
  );
}
