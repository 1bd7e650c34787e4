import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ScreenshotMetadata,
  SIDECAR_ENDING,
  screenshotMetadata,
  screenshotName,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { parseJson } from "../../shared/json.ts";
import { describeInvalid } from "../../shared/text/describe-invalid.ts";
import { visible } from "../../shared/text/visible-text.ts";
import { postScreenshot } from "../review-server/post-screenshot.ts";
import { findReviewServer, type ReviewServerAddress } from "../review-server/server-file.ts";
import type { ScreenshotFile } from "../screenshots/find-screenshots.ts";
import { describeIssue } from "../screenshots/read-sidecar.ts";
import { EXIT } from "../terminal.ts";
import { ADAPTER_ERRORS as ERRORS, ADAPTER_TEXTS as TEXTS } from "../texts/adapters.ts";
import { runUpload } from "./run-upload.ts";
import type { AdapterSettings } from "./settings.ts";

/** A screenshot that a test made. */
export interface TestScreenshot {
  name: string;
  /** PNG, JPEG or WebP. */
  image: Buffer;
  metadata: ScreenshotMetadata;
}

/** How a test run ended. */
interface TestRun {
  /** Whether some tests may have made fewer screenshots than usual. */
  hasFailures: boolean;
  /** As `--parallel` of `vrs upload`. Null for the whole build. */
  shard: string | null;
}

const NAME_ENDING = ".name.json";

/**
 * The screenshots of a test run. They are sent to `vrs dev` at once if it runs, and else uploaded at the end. The last
 * screenshot of a name, environment and width counts. Processes of one test run may share its folder.
 */
export class Collection {
  readonly #settings: AdapterSettings;
  readonly #folder: string;
  readonly #root: string;
  readonly #reviewServer: ReviewServerAddress | null;

  /** @param place folder for the files, and folder of the tests */
  constructor(settings: AdapterSettings, { folder, root }: { folder: string; root: string }) {
    this.#settings = settings;
    this.#folder = folder;
    this.#root = root;
    this.#reviewServer = findReviewServer(root, process.env);
  }

  /** Folder of the tests. */
  get root(): string {
    return this.#root;
  }

  /** Whether screenshots are wanted. Else, tests needn't make them. */
  get enabled(): boolean {
    return this.#settings.enabled ?? (this.#reviewServer !== null || Boolean(process.env.CI));
  }

  /** Stores or sends a screenshot. @throws Error for an invalid name or metadata, or if `vrs dev` refuses it */
  async add(screenshot: TestScreenshot): Promise<void> {
    const { image } = screenshot;
    const read = screenshotName.safeParse(screenshot.name, { error: describeInvalid });
    if (!read.success) throw new Error(ERRORS.badName(screenshot.name, read.error.issues[0]?.message ?? ""));
    const checked = screenshotMetadata.safeParse(screenshot.metadata, { error: describeInvalid });
    if (!checked.success)
      throw new Error(ERRORS.badOptions(read.data, checked.error.issues.flatMap(describeIssue)));
    const [name, metadata] = [read.data, checked.data];
    if (this.#reviewServer !== null) {
      await postScreenshot(this.#reviewServer, { name, image, metadata });
      return;
    }
    const key = JSON.stringify([name, metadata.environment, metadata.viewport?.width]);
    const path = join(this.#folder, createHash("sha256").update(key).digest("hex"));
    await mkdir(this.#folder, { recursive: true });
    await warnOfReplaced(path + SIDECAR_ENDING, name, metadata);
    await writeFile(path, image);
    await writeFile(path + SIDECAR_ENDING, JSON.stringify(metadata));
    await writeFile(path + NAME_ENDING, JSON.stringify({ name }));
  }

  /** Uploads the screenshots, and deletes their files. @returns whether the test run must fail */
  async finish({ hasFailures, shard }: TestRun): Promise<boolean> {
    const { failOnChanges = false, failOnError = false } = this.#settings;
    if (!this.enabled) return false;
    if (this.#reviewServer !== null) {
      say(TEXTS.sent(this.#reviewServer.url));
      return false;
    }
    const files = await this.#files();
    try {
      if (files.length === 0 && shard === null) {
        say(TEXTS.none);
        return false;
      }
      say(TEXTS.uploading(files.length));
      if (hasFailures) say(TEXTS.incomplete);
      await mkdir(this.#folder, { recursive: true });
      const code = await runUpload(
        { settings: this.#settings, files, shard, hasFailures },
        { folder: this.#folder, root: this.#root },
      );
      return code === EXIT.changed ? failOnChanges : code !== EXIT.ok && failOnError;
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  async #files(): Promise<ScreenshotFile[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files = names
      .filter(name => name.endsWith(NAME_ENDING))
      .map(async file => {
        const path = join(this.#folder, file.slice(0, -NAME_ENDING.length));
        const { name }: { name: string } = JSON.parse(await readFile(join(this.#folder, file), "utf8"));
        return { name, path };
      });
    return await Promise.all(files);
  }
}

/** Warns if a screenshot of another test file or browser has the same key. A retry replaces its own. */
async function warnOfReplaced(sidecar: string, name: string, metadata: ScreenshotMetadata): Promise<void> {
  const text = await readFile(sidecar, "utf8").catch(() => "null");
  const { data: earlier } = screenshotMetadata.safeParse(parseJson(text));
  if (!earlier || originOf(earlier) === originOf(metadata)) return;
  say(TEXTS.replaced(name, originOf(earlier), originOf(metadata)));
}

function originOf({ testFile, browser }: ScreenshotMetadata): string {
  return [testFile, browser].filter(Boolean).join(", ");
}

/** Prints a line about the upload. */
function say(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}
