import { resolve } from "node:path";
import type { Shot } from "../check/check-result.ts";

/** A baseline, as it was found in a folder or in a commit. */
export interface Baseline extends Shot {
  /** Name of its file in the folder. */
  file: string;
  /** Absolute path of the PNG; null where it is in another commit, or Git LFS has only its pointer here. */
  path: string | null;
  /** SHA-256 of the file. */
  hash: string;
  /** SHA-256 of the capture it was made from; null where the manifest does not know this file, whose pixels then decide. */
  capture: string | null;
  /** px; null where the manifest does not know it. */
  width: number | null;
  height: number | null;
  browser: string | null;
  platform: string | null;
  /** The PNG's bytes. @throws CommandError `lfs_missing` */
  read(): Promise<Buffer>;
}

/** All baselines of a configuration. */
export interface Baselines {
  /** Absolute path of the folder. */
  directory: string;
  /** What of the repository they are from, as `origin/main (3f9c1aa)`; null for the folder's own files. */
  ref: string | null;
  of(shot: Shot): Baseline | null;
  all(): Baseline[];
}

/** The baselines to compare with, and where these are another branch's also what was approved here meanwhile. */
export interface BaselinesToCompare {
  compared: Baselines;
  here: Baselines | null;
}

/** The folder of a configuration's baselines: absolute, and without the slash that its name may end with. */
export function baselinesFolder({
  config,
  root,
}: {
  config: { baselines: { directory: string } };
  root: string;
}): string {
  return resolve(root, config.baselines.directory);
}

/** What names a baseline. */
export function keyOf({ route, viewport }: Shot): string {
  return `${viewport} ${route}`;
}

/**
 * Reads files of the folder, wherever it is, and hands each on as it comes: null for one that is not there. What was made
 * of them comes back in the order of the names.
 */
export type ReadFiles = <R>(names: readonly string[], use: (content: Buffer | null) => R) => Promise<R[]>;
