import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import { differingPixels } from "../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import { BOUNDS } from "../../shared/contracts/capture/bounds.ts";
import { isMinor } from "../../shared/report/display-status.ts";
import { findScreenshots, type ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { readImage } from "../screenshots/screenshot-image.ts";
import { CommandError } from "../terminal.ts";
import { COMPARE_ERRORS } from "../texts/compare.ts";
import type { ComparedPage, ComparisonResult } from "./comparison-result.ts";

interface Folders {
  base: string;
  head: string;
  cwd: string;
  /** Share of changed pixels above which a screenshot counts as changed, 0–1. */
  threshold: number;
  signal: AbortSignal;
}

/** A comparison of folders, and the masks of changed screenshots by page. */
export interface ComparedFolders {
  result: ComparisonResult;
  masks: Map<string, Buffer>;
}

/** Compares the images of two folders by their paths. @throws CommandError `no_screenshots`, `too_many_screenshots` */
export async function compareFolders({
  base,
  head,
  cwd,
  threshold,
  signal,
}: Folders): Promise<ComparedFolders> {
  const [ofBase, ofHead] = [await imagesOf(base, cwd), await imagesOf(head, cwd)];
  const names = [...new Set([...ofBase.keys(), ...ofHead.keys()])].sort();
  const threads = Math.min(availableParallelism(), names.length);
  const pool = new ComparePool({ threads });
  const masks = new Map<string, Buffer>();
  const pages = new Map<string, ComparedPage>();
  const waiting = [...names];
  const compareSome = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const paths = { base: ofBase.get(name)?.path, head: ofHead.get(name)?.path };
      const { page, mask } = await comparePage(pool, { name, ...paths, threshold, signal });
      pages.set(name, page);
      if (mask) masks.set(page.id, mask);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, compareSome));
  } finally {
    await pool.close();
  }
  const data = names.flatMap(name => pages.get(name) ?? []);
  return { result: resultOf({ base: resolve(cwd, base), head: resolve(cwd, head) }, data), masks };
}

async function imagesOf(folder: string, cwd: string): Promise<Map<string, ScreenshotFile>> {
  const files = await findScreenshots([folder], cwd, null);
  if (files.length > BOUNDS.screenshots)
    throw new CommandError("too_many_screenshots", COMPARE_ERRORS.tooMany(folder, BOUNDS.screenshots));
  return new Map(files.map(file => [file.name, file]));
}

interface Pair {
  name: string;
  base: string | undefined;
  head: string | undefined;
  threshold: number;
  signal: AbortSignal;
}

async function comparePage(
  pool: ComparePool,
  { name, base, head, threshold, signal }: Pair,
): Promise<{ page: ComparedPage; mask: Buffer | null }> {
  const read = (path: string | undefined) => (path === undefined ? null : readImage(path, []));
  try {
    const [before, after] = [await read(base), await read(head)];
    const compared = before && after ? await pool.compare(before.png, after.png, { signal }) : null;
    const { diffRatio = null, diffPixels = null, faintPixels = 0 } = compared ?? {};
    const { regions = [], fingerprint = null } = compared ?? {};
    const isChanged = (diffRatio ?? 0) > threshold;
    const status = compared ? (isChanged ? "changed" : "unchanged") : before ? "removed" : "added";
    const page: ComparedPage = {
      ...pageNamed(name, after ?? before, threshold),
      ...{ status, diffRatio, diffPixels, faintPixels, regions, fingerprint },
      minor: isMinor(status === "unchanged", differingPixels({ diffPixels, faintPixels })),
      base: before && sideOf(before),
      head: after && sideOf(after),
      images: { baseline: linkTo(base), current: linkTo(head), diff: null },
    };
    return { page, mask: compared?.mask ?? null };
  } catch (error) {
    if (!(error instanceof UnreadableImageError)) throw error;
    const why = COMPARE_ERRORS.unreadable(name, error.message);
    return { page: { ...pageNamed(name, null, threshold), status: "failed", error: why }, mask: null };
  }
}

function pageNamed(name: string, image: { width: number } | null, threshold: number): ComparedPage {
  const id = `page_${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
  return {
    ...{ id, route: name, state: null, environment: null, viewport: image?.width ?? 0, threshold },
    ...{ status: "unchanged", minor: false, diffRatio: null, diffPixels: null, faintPixels: 0 },
    regions: [],
    ...{ fingerprint: null, explanation: null, base: null, head: null, error: null },
    images: { current: null, baseline: null, diff: null },
  };
}

function sideOf({ width, height }: { width: number; height: number }): ComparedPage["base"] {
  return { runId: null, screenshotId: null, environment: null, at: null, width, height, browser: null };
}

function linkTo(path: string | undefined): string | null {
  return path === undefined ? null : pathToFileURL(path).href;
}

function resultOf(folders: { base: string; head: string }, data: ComparedPage[]): ComparisonResult {
  const counts = { unchanged: 0, minor: 0, changed: 0, added: 0, removed: 0, failed: 0, comparing: 0 };
  for (const { status, minor } of data) {
    counts[status] += 1;
    if (minor) counts.minor += 1;
  }
  const total = data.length - counts.added - counts.removed;
  const changes = Map.groupBy(
    data.filter(({ status }) => status === "changed"),
    ({ fingerprint, id }) => fingerprint ?? id,
  );
  const groups = [...changes.values()]
    .map(pages => ({ cause: null, pages: pages.map(({ id }) => id) }))
    .sort((a, b) => b.pages.length - a.pages.length);
  return {
    base: folderSide(folders.base),
    head: folderSide(folders.head),
    progress: { total, compared: total },
    ...{ counts, causes: [], groups, data, report: null },
  };
}

function folderSide(path: string): ComparisonResult["base"] {
  const none = { runId: null, branch: null, monitorId: null, at: null, commit: null };
  return { kind: "folder", text: path, label: path, project: basename(path), ...none };
}
