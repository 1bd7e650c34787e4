import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Locations of browsers, as `BrowserPool` expects it. */
export interface BrowserLocation {
  /** Absolute path of a browser that the user chose; null for Playwright's or the npm package's. */
  chromiumPath: string | null;
  /** Path of a Firefox that the user chose; null for Playwright's or the system's. */
  firefoxPath: string | null;
  /** Folder for the unpacked browser of the npm package, shared by all projects of the user. */
  cacheDir: string;
}

/** Returns the browser of a project: the configured one, `CHROMIUM_PATH`, or the first one found. */
export function browserLocation(env: Terminal["env"], root: string, path?: string): BrowserLocation {
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return {
    chromiumPath: path ? resolve(root, path) : env.CHROMIUM_PATH || null,
    firefoxPath: env.FIREFOX_PATH || null,
    cacheDir: join(cache, "vrs"),
  };
}
