import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Which browser the tool uses, as `BrowserPool` takes it. */
export interface BrowserPlace {
  /** Absolute path of a browser of the user's own; null for Playwright's or the one of the npm package. */
  chromiumPath: string | null;
  /** Where the browser of the npm package is unpacked, once for all projects of the user. */
  cacheDir: string;
}

/** The browser of a project: what its configuration names, else `CHROMIUM_PATH`, else what is found. */
export function browserPlace(env: Terminal["env"], root: string, path?: string): BrowserPlace {
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return {
    chromiumPath: path ? resolve(root, path) : env.CHROMIUM_PATH || null,
    cacheDir: join(cache, "vrs"),
  };
}
