import { copyFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import type { TestCase, TestResult } from "playwright/types/testReporter";
import {
  type ScreenshotMetadata,
  SIDECAR_ENDING,
  screenshotName,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { parseJson } from "../../shared/json.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import type { AttachedFile, ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { PLAYWRIGHT_TEXTS as TEXTS } from "../texts/playwright.ts";
import { filesOfAttempt, namedByAttempt } from "./attached-files.ts";
import { ATTACHMENT_FOLDER } from "./attachments.ts";
import { metadataOf, snapshotName } from "./test-metadata.ts";

type Attachment = TestResult["attachments"][number];

/** A screenshot of an attempt of a test. */
export interface Collected {
  file: ScreenshotFile;
  metadata: ScreenshotMetadata;
}

/** How the screenshots of a test run are collected. */
export interface CollectorOptions {
  /** Folder for the collected files. */
  folder: string;
  /** Folder to which `toHaveScreenshot` writes. '' if it isn't used. */
  snapshotFolder: string;
  /** Folder to which paths of test files are relative. */
  root: string;
  /** Whether to collect traces and other files of the tests. */
  withAttachments: boolean;
}

/** How Playwright names the attachment of a written snapshot. */
const WRITTEN = "-expected";

/**
 * Collects the screenshots that tests attach: those of `toHaveScreenshot` and of `vrsScreenshot`. Of a retried test, the
 * last attempt counts. It works synchronously: a retry must find no snapshot of the attempt before.
 */
export class Collector {
  /** Warnings for the user. */
  readonly warnings: string[] = [];
  readonly #folder: string;
  readonly #snapshotFolder: string;
  readonly #root: string;
  readonly #withAttachments: boolean;
  readonly #byTest = new Map<string, Collected[]>();
  /** The attachments of each attempt, by test. */
  readonly #attachedFiles = new Map<string, AttachedFile[][]>();
  #files = 0;

  constructor({ folder, snapshotFolder, root, withAttachments }: CollectorOptions) {
    this.#folder = join(folder, "collected");
    this.#snapshotFolder = snapshotFolder;
    this.#root = root;
    this.#withAttachments = withAttachments;
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Collects the screenshots of an attempt. @returns them */
  add(test: TestCase, result: TestResult): Collected[] {
    const metadata = metadataOf(test, result, this.#root);
    const collected = result.attachments.flatMap(
      attachment =>
        this.#snapshot(test, attachment, metadata) ?? this.#attached(result, attachment, metadata) ?? [],
    );
    this.#byTest.set(test.id, collected);
    if (this.#withAttachments && (collected.length > 0 || result.status !== "passed")) {
      const attempts = this.#attachedFiles.get(test.id) ?? [];
      this.#attachedFiles.set(test.id, [...attempts, filesOfAttempt(result, () => this.#nextPath())]);
    }
    return collected;
  }

  /** Writes the metadata of the screenshots beside them. @returns each screenshot once, and how many were retried */
  finish(): { files: ScreenshotFile[]; retried: number } {
    const last = new Map<string, Collected>();
    for (const [testId, collected] of this.#byTest) {
      const attachments = namedByAttempt(this.#attachedFiles.get(testId) ?? []);
      for (const { file, metadata } of collected) {
        const key = JSON.stringify([file.name, metadata.environment, metadata.viewport?.width]);
        last.set(key, { file: { ...file, ...(attachments.length > 0 && { attachments }) }, metadata });
      }
    }
    const all = [...last.values()];
    for (const { file, metadata } of all) writeFileSync(file.path + SIDECAR_ENDING, JSON.stringify(metadata));
    return {
      files: all.map(({ file }) => file),
      retried: all.filter(({ metadata }) => metadata.retry !== undefined).length,
    };
  }

  /** Takes a snapshot that `toHaveScreenshot` wrote. Null for another attachment. */
  #snapshot(test: TestCase, { name, path }: Attachment, metadata: ScreenshotMetadata): Collected | null {
    if (path === undefined || !isInside(this.#snapshotFolder, path)) return null;
    const withoutExtension = name.slice(0, -extname(name).length);
    if (!withoutExtension.endsWith(WRITTEN)) return null;
    const target = this.#nextPath();
    try {
      renameSync(path, target);
    } catch {
      // An earlier attachment of this test named the same file.
      return null;
    }
    return this.#named(snapshotName(test, withoutExtension.slice(0, -WRITTEN.length)), target, metadata);
  }

  /** Takes an image whose name begins with `vrs/`. Null for another attachment. */
  #attached(result: TestResult, attachment: Attachment, metadata: ScreenshotMetadata): Collected | null {
    const { name, contentType, path, body } = attachment;
    if (!name.startsWith(ATTACHMENT_FOLDER) || !contentType.startsWith("image/")) return null;
    const target = this.#nextPath();
    if (path !== undefined) copyFileSync(path, target);
    else if (body !== undefined) writeFileSync(target, body);
    else return null;
    const sidecar = result.attachments.find(other => other.name === name + SIDECAR_ENDING)?.body;
    const own = sidecar && parseJson(sidecar.toString("utf8"));
    const shown = name.slice(ATTACHMENT_FOLDER.length).replace(/\.(png|jpe?g|webp)$/i, "");
    return this.#named(shown, target, { ...metadata, ...(typeof own === "object" && own) });
  }

  #named(name: string, path: string, metadata: ScreenshotMetadata): Collected | null {
    const read = screenshotName.safeParse(name, { error: describeInvalid });
    if (read.success) return { file: { name: read.data, path }, metadata };
    this.warnings.push(TEXTS.badName(name, read.error.issues[0]?.message ?? ""));
    return null;
  }

  #nextPath(): string {
    this.#files += 1;
    return join(this.#folder, String(this.#files));
  }
}

function isInside(folder: string, path: string): boolean {
  return folder !== "" && !relative(folder, path).startsWith("..");
}
