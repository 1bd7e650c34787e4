import { type FSWatcher, type WatchListener, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { DRAFT } from "../baselines/write-atomically.ts";
import { git } from "../git.ts";
import { CommandError } from "../terminal.ts";
import { WATCH_ERRORS } from "../texts/check.ts";

/** Editors write several files at once, and some twice. */
const DEBOUNCE_MS = 200;

/** Watches the files of a project. With git, those that it doesn't ignore; else those outside of hidden folders. */
export class FileWatch {
  readonly #root: string;
  readonly #excluded: ReadonlySet<string>;
  readonly #watchers = new Map<string, { watcher: FSWatcher; inode: number }>();
  #changed = new Set<string>();
  #wake: () => void = () => {};

  /** @param excluded absolute paths of files that don't count */
  constructor(root: string, excluded: readonly string[]) {
    this.#root = root;
    this.#excluded = new Set(excluded);
  }

  /** Starts to note changes. Git also lists folders that are not on the disk. @throws CommandError `watch_limit` */
  async start(): Promise<void> {
    for (const folder of await foldersOf(this.#root)) {
      const found = await stat(folder).catch(() => null);
      const known = this.#watchers.get(folder);
      // A folder that was deleted and created again is another one.
      if (known?.inode === found?.ino) continue;
      known?.watcher.close();
      this.#watchers.delete(folder);
      if (found !== null) this.#add(folder, found.ino);
    }
  }

  /**
   * Waits for changes, and until none came for a moment. Those since the last call count.
   * @returns the changed files, relative to the root; empty once the signal is aborted
   */
  async next(signal: AbortSignal): Promise<string[]> {
    while (!signal.aborted) {
      if (this.#changed.size === 0) await this.#woken(signal);
      for (let size = -1; size !== this.#changed.size && !signal.aborted; ) {
        size = this.#changed.size;
        await this.#woken(signal, DEBOUNCE_MS);
      }
      const changed = this.#changed;
      this.#changed = new Set();
      if (signal.aborted) break;
      const counted = await withoutIgnored(this.#root, [...changed]);
      // New folders have no watcher yet.
      if (counted.length > 0) await this.start();
      if (counted.length > 0) return counted.sort();
    }
    return [];
  }

  /** Ends the watch. */
  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string, inode: number): void {
    const watcher = watchOrNull(folder, (_, name) => {
      if (name === null) return;
      const path = join(folder, name);
      if (this.#excluded.has(path) || isPassing(name)) return;
      this.#changed.add(relative(this.#root, path));
      this.#wake();
    });
    if (watcher === null) return;
    watcher.once("error", () => {
      watcher.close();
      if (this.#watchers.get(folder)?.watcher === watcher) this.#watchers.delete(folder);
    });
    this.#watchers.set(folder, { watcher, inode });
  }

  /** Waits for the next change, or for a time. */
  async #woken(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
    this.#wake = resolve;
    const onAbort = () => resolve();
    signal.addEventListener("abort", onAbort);
    await promise;
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
    this.#wake = () => {};
  }
}

/** Files that are replaced atomically have another name for a moment. */
const isPassing = (name: string) => name.startsWith(DRAFT) || name.endsWith("~") || name.endsWith(".tmp");

/** Returns what to do about a limit of the system, which `fs.watch` reports as a full disk or too many files. */
export function watchFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ENOSPC") return new CommandError("watch_limit", WATCH_ERRORS.tooManyFolders, error);
  if (error.code === "EMFILE") return new CommandError("watch_limit", WATCH_ERRORS.tooManyWatchers, error);
  return error;
}

/** Watches a folder; null if it was deleted meanwhile. @throws CommandError `watch_limit` */
function watchOrNull(folder: string, onChange: WatchListener<string>): FSWatcher | null {
  try {
    return watch(folder, onChange);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw watchFailure(error);
  }
}

/** Returns the folders to watch: absolute paths, with the root. */
async function foldersOf(root: string): Promise<Set<string>> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const folders = new Set([root]);
  const known = await git(root, list);
  if (known === null) {
    await addVisible(root, folders);
    return folders;
  }
  for (const file of known
    .toString("utf8")
    .split("\0")
    .filter(each => each !== ""))
    for (let folder = dirname(join(root, file)); !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  return folders;
}

async function addVisible(folder: string, found: Set<string>): Promise<void> {
  found.add(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isDirectory() && isVisible(entry.name)) await addVisible(join(folder, entry.name), found);
}

const isVisible = (name: string) => !name.startsWith(".") && name !== "node_modules";

/** Leaves out the files that git ignores. Without git, none. */
async function withoutIgnored(root: string, files: string[]): Promise<string[]> {
  const visible = files.filter(file => {
    const [first] = file.split(sep);
    return first !== ".git" && first !== "node_modules";
  });
  if (visible.length === 0) return [];
  // It fails if it ignores none of them.
  const answer = await git(root, ["check-ignore", "-z", "--stdin"], {
    input: Buffer.from(visible.join("\0")),
  });
  const ignored = new Set(answer?.toString("utf8").split("\0"));
  return visible.filter(file => !ignored.has(file));
}
