import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { capture } from "../../shared/capture/page/capture.ts";
import { poolOptions } from "../support/contexts/capture-context.ts";
import { OWN_PAGES, OWN_WIDTHS, WIDE_FROM_PX } from "./pages.ts";
import { serveOwnPages } from "./server.ts";

const BUILD = fileURLToPath(new URL("../../cli/build-dashboard.mjs", import.meta.url));
export const BASELINES: URL = new URL("../baselines/dashboard/", import.meta.url);

/** Whether the browser of the lock file runs here. Baselines are from that one only. */
export const hasLockedBrowser = process.platform === "linux" && process.arch === "x64";

/** A page of the dashboard as it looks now. */
export interface OwnShot {
  /** Name of the baseline's file, such as `run-360`. */
  name: string;
  png: Buffer;
  stable: boolean;
}

/** Builds the dashboard if needed, and captures each of its pages at each width like the product. */
export async function captureOwnPages(): Promise<OwnShot[]> {
  await promisify(execFile)(process.execPath, [BUILD]);
  await using server = await serveOwnPages();
  const pool = new BrowserPool({ ...poolOptions(), chromiumPath: null, isLocked: true });
  try {
    const lease = await pool.lease("own pages");
    const shots: OwnShot[] = [];
    for (const { name, path, sign, besides, widths = OWN_WIDTHS } of OWN_PAGES) {
      for (const viewport of widths) {
        const url = server.url + path;
        const isWhole = besides !== undefined && viewport >= WIDE_FROM_PX;
        const options = { waitForSelector: isWhole ? `body:has(${besides}) ${sign}` : sign };
        const { png, stable } = await capture(lease, { url, viewport, baselineHash: null, options });
        shots.push({ name: `${name}-${viewport}`, png, stable });
      }
    }
    await lease.release();
    return shots;
  } finally {
    await pool.close();
  }
}
