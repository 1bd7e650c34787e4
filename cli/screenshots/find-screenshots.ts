import { glob, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { screenshotName } from "../../shared/contracts/runs/uploaded-screenshot.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";

/** A screenshot in a folder. */
export interface ScreenshotFile {
  /** Path in the folder, with slashes and without the extension, such as `Button/primary`. */
  name: string;
  /** Absolute path of the image. */
  path: string;
}

const EXTENSIONS = new Set([".png", ".jpg", ".jpeg", ".webp"]);
const GLOB_SIGNS = /[*?[\]{}]/;

/**
 * Finds the images of folders, globs and files, sorted by name. Skips hidden files and folders, and installed packages.
 * A name is relative to its folder, or to the part of its glob before the first wildcard.
 * @throws CommandError `no_screenshots`, `screenshot_name_invalid`
 */
export async function findScreenshots(patterns: readonly string[], cwd: string): Promise<ScreenshotFile[]> {
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    const files = await filesOf(pattern, cwd);
    if (files.length === 0) throw new CommandError("no_screenshots", ERRORS.none(pattern));
    for (const { name, path } of files) {
      const other = found.get(name);
      if (other !== undefined && other !== path) throw invalidName(ERRORS.twice(name, other, path));
      found.set(name, path);
    }
  }
  return [...found].map(([name, path]) => ({ name, path })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function filesOf(pattern: string, cwd: string): Promise<ScreenshotFile[]> {
  const path = resolve(cwd, pattern);
  const known = await stat(path).catch(() => null);
  if (known?.isFile()) return screenshotsIn(dirname(path), [basename(path)]);
  if (known?.isDirectory()) return screenshotsIn(path, await namesIn(path));
  if (!GLOB_SIGNS.test(pattern)) throw new CommandError("no_screenshots", ERRORS.missing(pattern));
  const { folder, rest } = splitGlob(pattern);
  const base = resolve(cwd, folder);
  const paths: string[] = [];
  for await (const found of glob(rest, { cwd: base })) paths.push(found);
  return screenshotsIn(base, paths);
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** Splits a glob into its fixed folder and the pattern in it. */
function splitGlob(pattern: string): { folder: string; rest: string } {
  const parts = pattern.split(sep === "\\" ? /[\\/]/ : "/");
  const first = parts.findIndex(part => GLOB_SIGNS.test(part));
  return {
    folder: parts.slice(0, first).join("/") || (first > 0 ? "/" : "."),
    rest: parts.slice(first).join("/"),
  };
}

function screenshotsIn(folder: string, paths: readonly string[]): ScreenshotFile[] {
  return paths.flatMap(path => {
    const parts = path.split(sep);
    const isSkipped = parts.some(part => part.startsWith(".") || part === "node_modules");
    const extension = extname(path);
    if (isSkipped || !EXTENSIONS.has(extension.toLowerCase())) return [];
    // Some systems decompose accents in file names. A name must be the same on all of them.
    const name = parts.join("/").slice(0, -extension.length).normalize("NFC");
    const read = screenshotName.safeParse(name, { error: describeInvalid });
    if (!read.success) throw invalidName(ERRORS.badName(path, read.error.issues[0]?.message ?? ""));
    return [{ name: read.data, path: join(folder, path) }];
  });
}

function invalidName(message: string): CommandError {
  return new CommandError("screenshot_name_invalid", message);
}
