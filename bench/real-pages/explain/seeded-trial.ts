import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { SeededChange } from "./draw-change.ts";

/** What a seeded change did to a page. It is all that an explanation needs. */
export interface SeededTrial {
  page: string;
  change: SeededChange;
  /** Packed capsules. */
  before: Buffer;
  after: Buffer;
  regions: Region[];
}

/** Trials by number. */
export interface TrialFolder {
  /** Returns a trial; null if it was skipped, undefined if it wasn't made yet. */
  read(n: number): Promise<SeededTrial | null | undefined>;
  write(n: number, trial: SeededTrial | null): Promise<void>;
}

/**
 * Keeps trials in a folder, so that a benchmark of hours can continue after it ended, and explanations can be judged
 * again without a browser. Without a folder, nothing is kept.
 */
export function openTrials(folder: string | null): TrialFolder {
  if (folder === null) return { read: async () => undefined, write: async () => {} };
  const pathOf = (n: number) => join(folder, `trial-${n}.json`);
  return {
    async read(n) {
      const text = await readFile(pathOf(n), "utf8").catch(() => null);
      if (text === null) return undefined;
      const kept = JSON.parse(text);
      if (kept === null) return null;
      const { before, after, ...facts } = kept;
      return { ...facts, before: Buffer.from(before, "base64"), after: Buffer.from(after, "base64") };
    },
    async write(n, trial) {
      await mkdir(folder, { recursive: true });
      const kept = trial && {
        ...trial,
        before: trial.before.toString("base64"),
        after: trial.after.toString("base64"),
      };
      // The benchmark may be killed while it writes.
      await writeFile(`${pathOf(n)}.part`, JSON.stringify(kept));
      await rename(`${pathOf(n)}.part`, pathOf(n));
    },
  };
}
