import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { BROWSER_CACHE } from "../../../test/support/drivers/runner.ts";

/**
 * Chromium's argument under which only this machine's name resolves. Requests to other hosts fail at once on any
 * machine, so that figures do not depend on the network.
 */
export const LOCAL_ONLY_ARG = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost";

/** Opens a pool whose pages can reach only the corpus server. */
export function openLocalPool(): BrowserPool {
  return new BrowserPool({
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    cacheDir: BROWSER_CACHE,
    policy: addressPolicy(["localhost"]),
    resolve: async host => (host === "localhost" ? ["127.0.0.1", "::1"] : []),
  });
}
