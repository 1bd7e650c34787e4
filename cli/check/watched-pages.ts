import { relative, sep } from "node:path";
import type { Capture } from "../../shared/capture/capture-types.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { CheckResult } from "./check-result.ts";
import type { CheckObserver } from "./check-with-options.ts";

/** Folders whose files development servers serve at the root of the site. */
const PUBLIC_FOLDERS = ["public", "static"];
/** The prefix with which Vite serves files by their absolute path. */
const ABSOLUTE = "/@fs/";

/** Knows which files the pages of earlier checks loaded from a development server. */
export class WatchedPages implements CheckObserver {
  readonly #root: string;
  readonly #origin: string;
  /** Paths relative to the root, with slashes, by route. */
  #loaded = new Map<string, Set<string>>();
  /** Those of the running check. */
  #loading = new Map<string, Set<string>>();
  #hasCompleted = false;
  /** Routes to check at every change: their report must stay complete, or nothing is known about them. */
  #open = new Set<string>();

  /** @param root folder of the configuration */
  constructor(root: string, baseUrl: string) {
    this.#root = root;
    this.#origin = new URL(baseUrl).origin;
  }

  /** Starts to note the files of a check. @param routes the routes that it checks; null for all */
  begin(routes: readonly string[] | null): void {
    if (routes === null) this.#loaded.clear();
    this.#loading = new Map();
    this.#hasCompleted = false;
  }

  readonly onCapture = ({ route }: ScreenshotKey, { requested = [] }: Capture): void => {
    // Its widths and states may load different files.
    const files = this.#loading.get(route) ?? new Set();
    for (const url of requested) for (const file of this.#filesOf(url)) files.add(file);
    this.#loading.set(route, files);
  };

  readonly onResult = ({ screenshots }: CheckResult): void => {
    for (const [route, files] of this.#loading) this.#loaded.set(route, files);
    const open = screenshots.filter(({ status }) => status !== "unchanged" && status !== "removed");
    // A check has all routes that were open before.
    this.#open = new Set(open.map(({ route }) => route));
    this.#hasCompleted = true;
  };

  /**
   * Returns the routes to check after changes of these files, relative to the root. Null for all routes: if a file isn't
   * known from a page, such as one that the server renders with, or if the last check failed.
   */
  affectedBy(changed: readonly string[]): string[] | null {
    if (!this.#hasCompleted) return null;
    const affected = new Set(this.#open);
    for (const file of changed) {
      const path = file.split(sep).join("/");
      const routes = [...this.#loaded].filter(([, files]) => files.has(path)).map(([route]) => route);
      if (routes.length === 0) return null;
      for (const route of routes) affected.add(route);
    }
    return changed.length === 0 ? null : [...affected];
  }

  /** Returns the files that a URL may name. */
  #filesOf(url: string): string[] {
    if (!URL.canParse(url)) return [];
    const { origin, pathname } = new URL(url);
    if (origin !== this.#origin) return [];
    const path = decoded(pathname);
    if (path.startsWith(ABSOLUTE))
      return [
        relative(this.#root, path.slice(ABSOLUTE.length - 1))
          .split(sep)
          .join("/"),
      ];
    return ["", ...PUBLIC_FOLDERS.map(folder => `/${folder}`)].map(folder => `${folder}${path}`.slice(1));
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
