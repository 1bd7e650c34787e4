import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readUploadSize } from "../../shared/compare/read-upload.ts";
import {
  SIDECAR_ENDING,
  screenshotMetadata,
  screenshotName,
  UPLOAD_BOUNDS,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import { writeAtomically } from "../baselines/write-atomically.ts";
import type { ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { describeIssue } from "../screenshots/read-sidecar.ts";
import { CommandError } from "../terminal.ts";
import { REVIEW_ERRORS as ERRORS } from "../texts/review-server.ts";

/** As of a run. */
const MAX_SCREENSHOTS = 2_000;

/** Maximum of errors shown. */
const MAX_SHOWN = 5;

const postedSchema = screenshotMetadata.extend({
  name: screenshotName,
  image: z.base64().min(1),
});

/** The screenshots that tests have sent, as files. The last one of each name, environment and width counts. */
export class ScreenshotInbox {
  readonly #folder: string;
  readonly #files = new Map<string, ScreenshotFile>();

  /** @param folder folder that git ignores */
  constructor(folder: string) {
    this.#folder = join(folder, "screenshots");
  }

  /** Deletes the screenshots of earlier starts. */
  async prepare(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true });
  }

  /** The files of all screenshots, sorted by name. */
  get files(): ScreenshotFile[] {
    return [...this.#files.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
  }

  /**
   * Stores a posted screenshot.
   * @throws CommandError `invalid_screenshot` that names the field, `too_many_screenshots`
   */
  async add(body: unknown): Promise<void> {
    const read = postedSchema.safeParse(body, { error: describeInvalid });
    if (!read.success) throw invalid(read.error.issues.flatMap(describeIssue).slice(0, MAX_SHOWN).join(" "));
    const { name, image, ...metadata } = read.data;
    const bytes = Buffer.from(image, "base64");
    if (bytes.length > UPLOAD_BOUNDS.imageBytes)
      throw invalid(ERRORS.tooLarge(UPLOAD_BOUNDS.imageBytes / 1024 / 1024));
    await readUploadSize(bytes).catch((error: unknown) => {
      throw invalid(ERRORS.noImage(error instanceof Error ? error.message : String(error)));
    });
    const key = JSON.stringify([name, metadata.environment ?? "", metadata.viewport?.width ?? 0]);
    if (!this.#files.has(key) && this.#files.size >= MAX_SCREENSHOTS)
      throw new CommandError("too_many_screenshots", ERRORS.tooMany(MAX_SCREENSHOTS));
    // A check may read the image that this one replaces.
    const hash = createHash("sha256").update(key).update(bytes).digest("hex");
    const path = join(this.#folder, `${hash}.png`);
    await writeAtomically(path + SIDECAR_ENDING, JSON.stringify(metadata));
    await writeAtomically(path, bytes);
    this.#files.set(key, { name, path });
  }
}

function invalid(message: string): CommandError {
  return new CommandError("invalid_screenshot", message);
}
