import { createHash } from "node:crypto";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { parseJson } from "../../../shared/json.ts";
import { changesBuild, packageFields } from "./project-files.rule.ts";

const CONFIG_FOLDER = ".storybook";
/** Patches of packages, which a lock file may not have. */
const PATCHES = "patches";

/** The files of a project that concern all of its stories. */
export class CommonFiles {
  isLocked = false;
  hash: string | null = null;
  readonly #project: string;
  readonly #builtMs: number;

  constructor(project: string, builtMs: number) {
    this.#project = project;
    this.#builtMs = builtMs;
  }

  async read(): Promise<void> {
    const project = await realpath(this.#project);
    const paths: string[] = [];
    let hasConfig = false;
    for (const [index, folder] of (await foldersOf(project)).entries()) {
      const names: string[] = await readdir(folder).catch(() => []);
      const known: readonly string[] = index === 0 ? [CONFIG_FOLDER, PATCHES] : [PATCHES];
      const inFolders = known.filter(each => names.includes(each));
      hasConfig ||= inFolders.includes(CONFIG_FOLDER);
      for (const each of inFolders) paths.push(...(await filesBelow(join(folder, each))));
      for (const name of names) {
        const kind = changesBuild(name);
        if (kind === null) continue;
        this.isLocked ||= kind === "lock";
        paths.push(join(folder, name));
      }
    }
    // Without its folder, nothing says which files configure Storybook.
    if (!hasConfig) return;
    const hash = createHash("sha256");
    const names = new Map(paths.map(path => [relative(project, path).split(sep).join("/"), path]));
    for (const [name, path] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const content = await readHash(path, this.#builtMs);
      if (content === null) return;
      hash.update(`\0${name}\0${content}`);
    }
    this.hash = hash.digest("hex");
  }
}

/**
 * Returns a hash of a file, and "" without one. Null if it is newer than the build, which then may show another content.
 */
export async function readHash(path: string, builtMs: number): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return "";
  if (found.mtimeMs > builtMs) return null;
  const content = await readFile(path).catch(() => null);
  if (content === null) return null;
  const text = path.endsWith("package.json") ? packageFields(parseJson(content.toString("utf8"))) : null;
  return createHash("sha256")
    .update(text ?? content)
    .digest("hex");
}

/** Returns a project's folder and those above it, up to that of the repository. */
async function foldersOf(project: string): Promise<string[]> {
  const folders: string[] = [];
  for (const folder of ancestorsOf(project)) {
    folders.push(folder);
    if ((await stat(join(folder, ".git")).catch(() => null)) !== null) return folders;
  }
  return folders.slice(0, 1);
}

/** Returns a folder and those above it, nearest first. */
export function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}
