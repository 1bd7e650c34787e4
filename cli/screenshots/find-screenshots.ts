import { glob, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { screenshotName } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";
import { type NamedFile, type Naming, namesBy } from "./naming.ts";

/** A screenshot in a folder. */
export interface ScreenshotFile extends NamedFile {
  /** Absolute path of the image. */
  path: string;
  /** Files of its test, by absolute paths. */
  attachments?: AttachedFile[];
}

/** A file of the test that made a screenshot. */
export interface AttachedFile {
  /** Such as `trace`. */
  name: string;
  /** Absolute path. */
  path: string;
}

/** An image that has no name yet. */
interface ImageFile {
  /** Absolute path. */
  path: string;
  /** Path in its folder, with slashes and without the extension, such as `Button/primary`. */
  inFolder: string;
}

const EXTENSIONS = new Set([".png", ".jpg", ".jpeg", ".webp"]);
const GLOB_SIGNS = /[*?[\]{}]/;

/**
 * Finds the images of folders, globs and files, sorted by name. Skips hidden files and folders, and installed packages.
 * A name is relative to its folder, or to the part of its glob before the first wildcard.
 * @param naming the tool that named the files; null for names that are paths
 * @param onNone handles a pattern without screenshots, which is an error by default
 * @throws CommandError `no_screenshots`, `screenshot_name_invalid`
 */
export async function findScreenshots(
  patterns: readonly string[],
  cwd: string,
  naming: Naming | null,
  onNone: (why: string) => void = refuse,
): Promise<ScreenshotFile[]> {
  const found = new Map<string, ScreenshotFile>();
  for (const pattern of patterns) {
    const images = await imagesOf(pattern, cwd);
    const files = named(images ?? [], naming);
    if (images === null) onNone(ERRORS.missing(pattern));
    else if (files.length === 0)
      onNone(naming === null ? ERRORS.none(pattern) : ERRORS.noneOf(pattern, naming));
    for (const file of files) {
      const { name, environment, width, path } = file;
      const key = JSON.stringify([name, environment, width]);
      const other = found.get(key)?.path ?? path;
      if (other !== path) throw invalidName(ERRORS.twice(name, other, path));
      found.set(key, file);
    }
  }
  return [...found.values()].sort(byName);
}

/** The order is the same on every machine. */
function byName(a: ScreenshotFile, b: ScreenshotFile): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  const [one = "", other = ""] = [a.environment, b.environment];
  if (one !== other) return one < other ? -1 : 1;
  return (a.width ?? 0) - (b.width ?? 0);
}

function named(images: readonly ImageFile[], naming: Naming | null): ScreenshotFile[] {
  const paths = images.map(({ inFolder }) => inFolder);
  const nameOf = naming === null ? (name: string) => ({ name }) : namesBy(naming, paths);
  return images.flatMap(({ inFolder, path }) => {
    const file = nameOf(inFolder);
    if (file === null) return [];
    const read = screenshotName.safeParse(file.name, { error: describeInvalid });
    if (!read.success) throw invalidName(ERRORS.badName(path, read.error.issues[0]?.message ?? ""));
    return [{ ...file, name: read.data, path }];
  });
}

function refuse(why: string): never {
  throw new CommandError("no_screenshots", why);
}

/** Returns null if nothing has that path. */
async function imagesOf(pattern: string, cwd: string): Promise<ImageFile[] | null> {
  const path = resolve(cwd, pattern);
  const known = await stat(path).catch(() => null);
  if (known?.isFile()) return imagesIn(dirname(path), [basename(path)]);
  if (known?.isDirectory()) return imagesIn(path, await namesIn(path));
  if (!GLOB_SIGNS.test(pattern)) return null;
  const { folder, rest } = splitGlob(pattern);
  const base = resolve(cwd, folder);
  const paths: string[] = [];
  for await (const found of glob(rest, { cwd: base })) paths.push(found);
  return imagesIn(base, paths);
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() || entry.isSymbolicLink())
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

function imagesIn(folder: string, paths: readonly string[]): ImageFile[] {
  return paths.flatMap(path => {
    const parts = path.split(sep);
    const isSkipped = parts.some(part => part.startsWith(".") || part === "node_modules");
    const extension = extname(path);
    if (isSkipped || !EXTENSIONS.has(extension.toLowerCase())) return [];
    // Some systems decompose accents in file names. A name must be the same on all of them.
    const inFolder = parts.join("/").slice(0, -extension.length).normalize("NFC");
    return [{ inFolder, path: join(folder, path) }];
  });
}

function invalidName(message: string): CommandError {
  return new CommandError("screenshot_name_invalid", message);
}
