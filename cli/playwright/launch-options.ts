import { withWholePage } from "../../shared/capture/browser/browser-args.ts";

/** Options of Playwright's configuration about the browser. */
export interface UsedBrowser {
  browserName?: unknown;
  defaultBrowserType?: unknown;
  launchOptions?: { args?: string[] };
}

/** Tells workers, which load the configuration again, that the command line names the browser. */
const BROWSER_VARIABLE = "VRS_PLAYWRIGHT_BROWSER";

/**
 * Lets Chromium draw pages beyond their windows, so that `vrsScreenshot` needn't resize them. Other browsers don't know
 * this argument, and get none.
 * @param shared options of the configuration, which those of a project replace
 */
export function drawingBeyondWindow<T extends { use?: UsedBrowser }>(config: T, shared: UsedBrowser = {}): T {
  const use: UsedBrowser = { ...shared, ...config.use };
  const name = use.browserName ?? use.defaultBrowserType ?? "chromium";
  if (name !== "chromium" || isBrowserNamed()) return config;
  const { launchOptions } = use;
  return {
    ...config,
    use: {
      ...config.use,
      launchOptions: { ...launchOptions, args: withWholePage(launchOptions?.args ?? []) },
    },
  };
}

/** Returns whether Playwright's option `--browser` replaces the browser of the configuration. */
function isBrowserNamed(): boolean {
  if (process.argv.some(arg => /^--browser(=|$)/.test(arg))) process.env[BROWSER_VARIABLE] = "1";
  return process.env[BROWSER_VARIABLE] === "1";
}
