import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { mapBounded } from "../concurrency.ts";
import { BASELINE_ERRORS } from "../texts/check.ts";
import type { Baseline, Baselines, BaselinesToCompare, ReadFiles } from "./baselines.ts";
import { openCommit } from "./commit.ts";
import { fileNameOf } from "./file-name.ts";
import { readContent, readPointer } from "./lfs.ts";
import { MANIFEST, type ManifestEntry, parseManifest, UNKNOWN_BROWSER } from "./manifest.ts";

/** Enough for a disk, and below the limits of open files. */
const READ_CONCURRENCY = 32;

interface Source {
  directory: string;
  ref: string | null;
  readFiles: ReadFiles;
  /** Whether the files are in the folder. */
  inFolder: boolean;
}

/**
 * Reads the baselines in a folder, with or without git.
 * @param shots the screenshots to check: their files count even if the manifest is lost
 * @throws CommandError `manifest_invalid`
 */
export async function readFolder(directory: string, shots: readonly ScreenshotKey[]): Promise<Baselines> {
  const readFiles: ReadFiles = (names, use) =>
    mapBounded(names, READ_CONCURRENCY, async name =>
      use(await readFile(join(directory, name)).catch(absent)),
    );
  return await readBaselines({ directory, ref: null, readFiles, inFolder: true }, shots);
}

/**
 * Reads the baselines of a branch, tag or commit with git, from the repository around the folder.
 * @throws CommandError `branch_missing` that says which fetch to run, `manifest_invalid`, `git_failed`
 */
async function readBranch(
  directory: string,
  branch: string,
  shots: readonly ScreenshotKey[],
): Promise<Baselines> {
  const { ref, readFiles } = await openCommit(directory, branch);
  return await readBaselines({ directory, ref, readFiles, inFolder: false }, shots);
}

/**
 * Reads the baselines to compare with: those of a branch, or those in the folder without one.
 * @throws CommandError as `readFolder` and `readBranch`
 */
export async function openBaselines(
  directory: string,
  branch: string | undefined,
  shots: readonly ScreenshotKey[],
): Promise<BaselinesToCompare> {
  const here = await readFolder(directory, shots);
  if (branch === undefined) return { compared: here, here: null };
  return { compared: await readBranch(directory, branch, shots), here };
}

/** Returns the manifest's lines that match existing files, one per file. */
export async function readManifest(directory: string, baselines: Baselines): Promise<ManifestEntry[]> {
  const text = await readFile(join(directory, MANIFEST), "utf8").catch(absent);
  const entries = text === null ? [] : parseManifest(text, join(relative(".", directory), MANIFEST));
  return entries.filter(entry => baselines.of(entry)?.hash === entry.hash);
}

async function readBaselines(source: Source, shots: readonly ScreenshotKey[]): Promise<Baselines> {
  const [manifest] = await source.readFiles([MANIFEST], content => content);
  const shown = source.ref ? `${source.ref}:${MANIFEST}` : join(relative(".", source.directory), MANIFEST);
  const entries = manifest ? parseManifest(manifest.toString("utf8"), shown) : [];
  const wanted = new Map<string, ScreenshotKey & { file: string; entries: ManifestEntry[] }>();
  for (const shot of shots)
    wanted.set(keyOf(shot), { ...pickPage(shot), file: fileNameOf(shot), entries: [] });
  for (const entry of entries) {
    const known = wanted.get(keyOf(entry)) ?? { ...pickPage(entry), file: entry.file, entries: [] };
    wanted.set(keyOf(entry), { ...known, entries: [...known.entries, entry] });
  }
  const list = [...wanted.values()];
  const names = list.map(({ file }) => file);
  const hashes = await source.readFiles(names, content => content && hashOf(content));
  const found = new Map<string, Baseline>();
  for (const [index, { entries: lines, ...shot }] of list.entries()) {
    const hash = hashes[index];
    if (hash) found.set(keyOf(shot), baselineOf(source, shot, hash, lines));
  }
  return {
    directory: source.directory,
    ref: source.ref,
    of: shot => found.get(keyOf(shot)) ?? null,
    all: () => [...found.values()],
  };
}

/** SHA-256 of a file's content, from the content or from its Git LFS pointer. */
interface FileHash {
  hash: string;
  isPointer: boolean;
}

function hashOf(bytes: Buffer): FileHash {
  const oid = readPointer(bytes);
  return { hash: oid ?? createHash("sha256").update(bytes).digest("hex"), isPointer: oid !== null };
}

/** The file is the truth: a manifest line counts only if its hash is the file's. */
function baselineOf(
  { directory, inFolder, readFiles }: Source,
  shot: ScreenshotKey & { file: string },
  { hash, isPointer }: FileHash,
  entries: readonly ManifestEntry[],
): Baseline {
  const entry = entries.find(line => line.hash === hash);
  const isHere = inFolder && !isPointer;
  return {
    ...shot,
    path: isHere ? join(directory, shot.file) : null,
    hash,
    capture: entry?.capture ?? null,
    width: entry?.width ?? null,
    height: entry?.height ?? null,
    browser: entry === undefined || entry.browser === UNKNOWN_BROWSER ? null : entry.browser,
    platform: entry?.platform ?? null,
    selectorRegions: entry?.selectorRegions ?? [],
    // Read again only if needed: most files never are, and a project may have thousands.
    read: async () => {
      const [bytes] = await readFiles([shot.file], content => content);
      if (!bytes) throw new UnreadableImageError(BASELINE_ERRORS.fileMissing);
      return await readContent(bytes, directory, shot.file);
    },
  };
}

function absent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}
