import { join, resolve } from "node:path";
import type { SelectorRegions } from "../../shared/contracts/capture/ignore-region.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";

/** A baseline in a folder or in a commit. */
export interface Baseline extends ScreenshotKey {
  /** Name of its file in the folder. */
  file: string;
  /** Absolute path of the PNG. Null if it is in another commit, or if only its Git LFS pointer is here. */
  path: string | null;
  /** SHA-256 of the file. */
  hash: string;
  /** SHA-256 of the original capture. Null if the manifest doesn't list this file; then the pixels decide. */
  capture: string | null;
  /** px; null if the manifest doesn't list the file. */
  width: number | null;
  height: number | null;
  browser: string | null;
  platform: string | null;
  /** Where the elements of ignore regions are in the image; empty if unknown. */
  selectorRegions: readonly SelectorRegions[];
  /** Reads the PNG's bytes. @throws CommandError `lfs_missing` */
  read(): Promise<Buffer>;
}

/** All baselines of a configuration. */
export interface Baselines {
  /** Absolute path of the folder. */
  directory: string;
  /** Source in the repository, such as `origin/main (3f9c1aa)`; null for the files in the folder. */
  ref: string | null;
  of(shot: ScreenshotKey): Baseline | null;
  all(): Baseline[];
}

/**
 * The baselines to compare with. For another branch's baselines, also what was approved in this folder
 * meanwhile.
 */
export interface BaselinesToCompare {
  compared: Baselines;
  here: Baselines | null;
}

/** Returns the absolute path of the baselines folder, without a trailing slash. */
export function baselinesFolder({
  config,
  root,
}: {
  config: { baselines: { directory: string } };
  root: string;
}): string {
  return resolve(root, config.baselines.directory);
}

/**
 * Returns the absolute path of the folder with the baselines of screenshot files. It is apart from the baselines of
 * pages, so that neither counts as removed in a check of the other.
 * @param name name of the set; null for the unnamed one
 */
export function screenshotBaselinesFolder(
  configuration: Parameters<typeof baselinesFolder>[0],
  name: string | null,
): string {
  return join(baselinesFolder(configuration), "screenshots", ...(name === null ? [] : [name]));
}

/**
 * Reads files of the folder and passes on each one as it arrives, or null if it is missing. Returns the
 * results in the order of the names.
 */
export type ReadFiles = <R>(names: readonly string[], use: (content: Buffer | null) => R) => Promise<R[]>;
