import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

/** Keeps what Node makes of the source files: a node's next start takes half the work. Where this user may not write, nothing is kept. */
export function keepCompiledCode(cacheDir: string): void {
  enableCompileCache(join(cacheDir, "code"));
}

/** Writes it down, for nodes that will be killed and not end by themselves. */
export function saveCompiledCode(): void {
  flushCompileCache();
}
