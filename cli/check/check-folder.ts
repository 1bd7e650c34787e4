import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { parseJson } from "../../shared/json.ts";
import { fileNameOf } from "../baselines/file-name.ts";
import { removeDrafts, writeAtomically } from "../baselines/write-atomically.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";
import { type CheckResult, checkResultSchema } from "./check-result.ts";
import { CapsuleFolder } from "./screenshots/capsule-folder.ts";
import { ResponseFolder } from "./screenshots/response-folder.ts";

/** A concurrent check of the same folder may be about to use an image that this one doesn't know. */
const IMAGE_RETENTION_MS = 10 * 60_000;
/** Characters of a hash in a file name, enough to distinguish images of one page. */
const HASH_LENGTH = 12;

/**
 * The output folder of a check, ignored by git: `result.json`, `report.html` and images. An image's name
 * contains its hash. The result is written last, so an existing result is complete.
 */
export class CheckFolder {
  readonly path: string;
  readonly images: string;
  readonly report: string;
  readonly capsules: CapsuleFolder;
  readonly responses: ResponseFolder;
  readonly #result: string;
  readonly #written = new Map<string, Promise<string>>();

  /**
   * @param root the configuration's folder
   * @param name another one than `check` keeps the last check's result, which `vrs approve` approves
   */
  constructor(root: string, name = "check") {
    this.path = join(root, ".service", name);
    this.images = join(this.path, "images");
    this.capsules = new CapsuleFolder(join(this.path, "capsules"));
    this.responses = new ResponseFolder(join(this.path, "responses"));
    this.report = join(this.path, "report.html");
    this.#result = join(this.path, "result.json");
  }

  /**
   * Prepares the folder for a check. Deletes the last result, so that approvals can't use outdated captures.
   */
  async prepare(): Promise<void> {
    await mkdir(this.images, { recursive: true });
    await rm(this.#result, { force: true });
    await Promise.all([
      writeAtomically(join(this.path, ".gitignore"), "*\n"),
      removeDrafts(this.path),
      removeDrafts(this.images),
      this.capsules.prepare(),
      this.responses.prepare(),
    ]);
  }

  /** Stores an image of a screenshot. @returns its absolute path */
  async store(
    shot: ScreenshotKey,
    kind: "current" | "baseline" | "diff" | "failure",
    png: Buffer,
    hash: string,
  ): Promise<string> {
    const stem = fileNameOf(shot).replace(/\.png$/, "");
    const path = join(this.images, `${stem}.${kind}-${hash.slice(0, HASH_LENGTH)}.png`);
    const writing = this.#written.get(path) ?? writeAtomically(path, png).then(() => path);
    this.#written.set(path, writing);
    return await writing;
  }

  /** Writes the result, and deletes images of earlier checks. */
  async finish(result: CheckResult): Promise<void> {
    await writeAtomically(this.#result, `${JSON.stringify(result, null, 2)}\n`);
    const named = new Set(result.screenshots.flatMap(({ files }) => Object.values(files)));
    const names = await readdir(this.images);
    await Promise.all(
      names.map(async name => {
        const path = join(this.images, name);
        if (named.has(path)) return;
        const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: Date.now() };
        if (Date.now() - mtimeMs > IMAGE_RETENTION_MS) await rm(path, { force: true });
      }),
    );
  }

  /**
   * Reads the last check's result; null if there is none. The folder may come from another machine, such as the artifact
   * of a workflow: paths of its files are those in this folder.
   * @throws CommandError `no_check` if another version of vrs wrote it, or if it was edited
   */
  async last(): Promise<CheckResult | null> {
    const text = await readFile(this.#result, "utf8").catch(() => null);
    if (text === null) return null;
    const parsed = checkResultSchema.safeParse(parseJson(text));
    if (parsed.success) return await this.#moved(parsed.data);
    const message = CHECK_ERRORS.damagedResult(this.#result);
    throw new CommandError("no_check", message, parsed.error);
  }

  /** Paths of baselines stay as they are. The names of images have hashes, so a baseline has another name. */
  async #moved(result: CheckResult): Promise<CheckResult> {
    const names = new Set(await readdir(this.images).catch(() => []));
    const moved = (path: string) => {
      const name = path.split(/[\\/]/).at(-1) ?? "";
      return names.has(name) ? join(this.images, name) : path;
    };
    return {
      ...result,
      report: result.report && this.report,
      screenshots: result.screenshots.map(shot => {
        const { current, baseline, diff, failure } = shot.files;
        return {
          ...shot,
          files: {
            current: current && moved(current),
            baseline: baseline && moved(baseline),
            diff: diff && moved(diff),
            ...(failure && { failure: moved(failure) }),
          },
        };
      }),
    };
  }
}
