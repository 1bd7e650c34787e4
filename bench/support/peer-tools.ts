import { fileURLToPath } from "node:url";
import { findBrowser } from "../../shared/capture/browser/browser-binary.ts";
import { BROWSER_CACHE } from "../../test/support/drivers/runner.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const BACKSTOP = here("../node_modules/backstopjs/cli/index.js");
export const LOST_PIXEL = here("../node_modules/lost-pixel/dist/bin.js");

/** What is captured, and with which concurrency. */
export interface CaptureSet {
  site: string;
  /** Paths, without the first slash. */
  pages: readonly string[];
  widths: number[];
  concurrency: number;
  launch: Launch;
  /** Whether the bare loop opens a context for every screenshot instead of keeping its pages. The others ignore it. */
  freshContexts?: boolean;
}

/** Playwright's launch options, the same for all. */
export interface Launch {
  executablePath: string;
  env: Record<string, string>;
  args: string[];
}

export async function launchOptions(): Promise<Launch> {
  const found = await findBrowser({
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    cacheDir: BROWSER_CACHE,
  });
  return { ...found, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}

/** Returns `backstop.json`, with all of its concurrency. */
export function backstopConfig({ site, pages, widths, concurrency, launch }: CaptureSet): object {
  return {
    id: "bench",
    viewports: widths.map(width => ({ label: `w${width}`, width, height: 800 })),
    scenarios: pages.map(page => ({
      label: page || "start",
      url: `${site}/${page}`,
      selectors: ["document"],
      misMatchThreshold: 0.1,
    })),
    paths: Object.fromEntries(
      Object.entries({
        bitmaps_reference: "reference",
        bitmaps_test: "test",
        engine_scripts: "scripts",
        html_report: "html",
        ci_report: "ci",
      }).map(([key, path]) => [key, `backstop_data/${path}`]),
    ),
    report: ["json"],
    openReport: false,
    engine: "playwright",
    engineOptions: { browser: "chromium", ...launch },
    asyncCaptureLimit: concurrency,
    asyncCompareLimit: concurrency * 10,
  };
}

/**
 * Returns the content of `lostpixel.config.js`. Its waits of seconds are set to zero, because the comparison is about
 * work.
 */
export function lostPixelConfig({ site, pages, widths, concurrency, launch }: CaptureSet): object {
  return {
    generateOnly: true,
    failOnDifference: true,
    pageShots: {
      baseUrl: site,
      pages: pages.map(page => ({
        path: `/${page}`,
        // It ends without an error on a name with a slash.
        name: page.replaceAll(/\W+/g, "-"),
        waitBeforeScreenshot: 0,
        breakpoints: widths,
      })),
    },
    shotConcurrency: concurrency,
    compareConcurrency: concurrency,
    waitBeforeScreenshot: 0,
    timeouts: { waitForFirstRequest: 1, waitForLastRequest: 1 },
    browserLaunchOptions: { chromium: launch },
  };
}
