import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../shared/parse-json.ts";
import { fileNameOf } from "../baselines/file-name.ts";
import { removeAbandoned, writeWhole } from "../baselines/write-whole.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";
import { type CheckResult, checkResultSchema, type Shot } from "./check-result.ts";

/** Another check of the same folder may be about to name an image that this one does not know. */
const KEPT_MS = 10 * 60_000;
/** Characters of a hash in a name: what tells the images of one page apart. */
const HASH_LENGTH = 12;

/**
 * Where a check leaves what it found, ignored by git: `result.json`, `report.html` and images. An image's name holds its
 * hash, and the result is written last, so that a result which is there is whole.
 */
export class CheckFolder {
  readonly path: string;
  readonly images: string;
  readonly report: string;
  readonly #result: string;
  readonly #written = new Map<string, Promise<string>>();

  /** @param root folder of the configuration */
  constructor(root: string) {
    this.path = join(root, ".service", "check");
    this.images = join(this.path, "images");
    this.report = join(this.path, "report.html");
    this.#result = join(this.path, "result.json");
  }

  /** Makes it ready for a check. The last result goes, so that nothing is approved that a newer check would have shown. */
  async begin(): Promise<void> {
    await mkdir(this.images, { recursive: true });
    await rm(this.#result, { force: true });
    await Promise.all([
      writeWhole(join(this.path, ".gitignore"), "*\n"),
      removeAbandoned(this.path),
      removeAbandoned(this.images),
    ]);
  }

  /** Keeps an image of a screenshot. @returns its absolute path */
  async keep(shot: Shot, kind: "current" | "baseline" | "diff", png: Buffer, hash: string): Promise<string> {
    const stem = fileNameOf(shot).replace(/\.png$/, "");
    const path = join(this.images, `${stem}.${kind}-${hash.slice(0, HASH_LENGTH)}.png`);
    const writing = this.#written.get(path) ?? writeWhole(path, png).then(() => path);
    this.#written.set(path, writing);
    return await writing;
  }

  /** Writes the result, and removes images of earlier checks. */
  async finish(result: CheckResult): Promise<void> {
    await writeWhole(this.#result, `${JSON.stringify(result, null, 2)}\n`);
    const named = new Set(
      result.screenshots.flatMap(({ files }) => [files.current, files.baseline, files.diff]),
    );
    const names = await readdir(this.images);
    await Promise.all(
      names.map(async name => {
        const path = join(this.images, name);
        if (named.has(path)) return;
        const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: Date.now() };
        if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { force: true });
      }),
    );
  }

  /**
   * The last check's result; null where there is none.
   * @throws CommandError `no_check` where it is of another version of vrs, or somebody wrote into it
   */
  async last(): Promise<CheckResult | null> {
    const text = await readFile(this.#result, "utf8").catch(() => null);
    if (text === null) return null;
    const parsed = checkResultSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const message = CHECK_ERRORS.damagedResult(this.#result);
    throw new CommandError("no_check", message, parsed.error);
  }
}
