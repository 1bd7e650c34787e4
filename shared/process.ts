import { readFileSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

/** The product's version, from package.json. */
export const version = readVersion();

function readVersion(): string {
  // Every command of the command line loads this file. A schema library would double their start time.
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (typeof manifest === "object" && manifest && "version" in manifest) return String(manifest.version);
  throw new Error("package.json has no version.");
}

/** npm forwards a Ctrl-C that the terminal already sent to the whole process group. It is the same signal. */
const DUPLICATE_WINDOW_MS = 1_000;

interface Listener<S> {
  first(signal: S): void;
  /** Handles every later signal: the sender doesn't want to wait. */
  again(signal: S): void;
}

/** Handles the first of these signals and the later ones, in place of their default actions. */
export function onSignals<S extends NodeJS.Signals>(
  process: NodeJS.Process,
  signals: readonly S[],
  { first, again }: Listener<S>,
): void {
  let received: { signal: S; atMs: number } | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      if (received?.signal === signal && Date.now() - received.atMs < DUPLICATE_WINDOW_MS) return;
      const isFirst = received === null;
      received ??= { signal, atMs: Date.now() };
      if (isFirst) first(signal);
      else again(signal);
    });
  }
}

/** Caches compiled source files, which halves a node's next start. Caches nothing if this user can't write there. */
export function cacheCompiledCode(cacheDir: string): void {
  enableCompileCache(join(cacheDir, "code"));
}

/** Writes the compile cache to disk now. A node that is killed doesn't write it at its exit. */
export function flushCompiledCode(): void {
  flushCompileCache();
}
