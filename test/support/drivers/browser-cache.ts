import { dirname } from "node:path";
import { loadConfig } from "../../../shared/config.ts";

/** Where set-up has unpacked the browser: to unpack it again takes some fifteen seconds of processor. */
export const BROWSER_CACHE = loadConfig({}).cacheDir;

/** The folder of caches in which the command-line tool finds that browser. */
export const XDG_CACHE_HOME = dirname(BROWSER_CACHE);
