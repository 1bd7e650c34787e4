/** Finds what a program needs of this repository and of npm, by its imports. Needs no package itself. */
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";

export interface SourceGraph {
  /** Files of the repository, sorted, relative to its root. */
  files: string[];
  /** Names of npm packages, sorted. */
  packages: string[];
}

const ROOT = new URL("../../", import.meta.url);

/** Imports and re-exports without types, and files that run in their own threads or processes. */
const REFERENCES = [
  /^\s*(?:import|export)\s+(?!type\b)(?:[\w*{}\s,$]+?\s+from\s+)?"([^"\n]+)"/gm,
  /\bimport\("([^"\n]+)"\)/g,
  /\bnew URL\("(\.[^"\n]+\.ts)", import\.meta\.url\)/g,
  /\bimport\.meta\.resolve\("([^"\n]+)"\)/g,
];

/**
 * Follows the imports of the files, static and dynamic.
 * @param entries relative to the root of the repository
 * @throws Error if an imported file is missing
 */
export async function sourceGraph(entries: readonly string[]): Promise<SourceGraph> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = async (file: URL): Promise<void> => {
    const path = file.href.slice(ROOT.href.length);
    if (files.has(path)) return;
    files.add(path);
    for (const name of referencesOf(await readFile(file, "utf8"))) {
      if (name.startsWith(".")) await visit(new URL(name, file));
      else if (!isBuiltin(name)) packages.add(packageOf(name));
    }
  };
  for (const entry of entries) await visit(new URL(entry, ROOT));
  return { files: [...files].sort(), packages: [...packages].sort() };
}

function referencesOf(source: string): string[] {
  return REFERENCES.flatMap(pattern => Array.from(source.matchAll(pattern), ([, name = ""]) => name));
}

/** Returns `@scope/name` for `@scope/name/part`. */
const packageOf = (name: string) =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
