import { access, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { CommandError } from "../terminal.ts";
import { CONFIG_ERRORS } from "../texts/errors.ts";

/** In order of precedence, if a folder has several. */
export const CONFIG_NAMES = [
  "service.config.ts",
  "service.config.mts",
  "service.config.js",
  "service.config.mjs",
  "service.config.cts",
  "service.config.cjs",
  join(".github", "service.yml"),
];

/**
 * Finds the configuration file: the named one, otherwise the nearest in the folder or above.
 * @throws CommandError `config_missing`
 */
export async function findConfig(cwd: string, named?: string): Promise<string> {
  if (named !== undefined) {
    const file = resolve(cwd, named);
    const found = await stat(file).catch(() => null);
    if (found?.isFile()) return file;
    const inFolder = found?.isDirectory() ? await firstIn(file) : null;
    if (inFolder) return inFolder;
    const { emptyFolder, noSuchFile } = CONFIG_ERRORS;
    throw new CommandError("config_missing", found ? emptyFolder(named) : noSuchFile(named));
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = await firstIn(folder);
    if (file) return file;
    if (dirname(folder) === folder) break;
  }
  throw new CommandError("config_missing", CONFIG_ERRORS.missing(cwd));
}

/** Returns the folder that paths in a configuration are relative to. */
export function rootOf(file: string): string {
  const folder = dirname(file);
  return relative(dirname(folder), folder) === ".github" ? dirname(folder) : folder;
}

async function firstIn(folder: string): Promise<string | null> {
  for (const name of CONFIG_NAMES) {
    const file = join(folder, name);
    if (await exists(file)) return file;
  }
  return null;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
