import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FullConfig, FullResult, Reporter, TestCase, TestResult } from "playwright/types/testReporter";
import { visible } from "../../shared/text/visible-text.ts";
import { EXIT } from "../terminal.ts";
import { PLAYWRIGHT_TEXTS as TEXTS } from "../texts/playwright.ts";
import { Collector } from "./collector.ts";
import type { ReporterOptions } from "./settings.ts";
import type { UploadRequest } from "./upload-request.ts";

/** What the reporter changes about the result of the test run. */
type Verdict = { status: "failed" } | undefined;

/** Reporter for Playwright's runner that uploads the screenshots of the tests as a build. */
export default class VrsReporter implements Reporter {
  readonly #options: ReporterOptions;
  #shard: FullConfig["shard"] = null;
  #root = process.cwd();
  /** Null before the tests begin. */
  #collector: Collector | null = null;
  #folder = "";

  constructor(options: ReporterOptions = {}) {
    this.#options = options;
  }

  onBegin({ configFile, shard }: FullConfig): void {
    const { snapshotFolder = "", enabled = true } = this.#options;
    if (!enabled) return;
    this.#shard = shard;
    if (configFile !== undefined) this.#root = dirname(configFile);
    this.#folder = snapshotFolder || join(tmpdir(), `vrs-playwright-${process.pid}`);
    this.#collector = new Collector(this.#folder, snapshotFolder, this.#root);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#collector?.add(test, result);
  }

  async onEnd({ status }: FullResult): Promise<Verdict> {
    if (this.#collector === null) return undefined;
    const { failOnChanges = false, failOnError = false } = this.#options;
    try {
      const code = await this.#upload(this.#collector, status);
      const fails = code === EXIT.changed ? failOnChanges : code !== EXIT.ok && failOnError;
      return fails ? { status: "failed" } : undefined;
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /** @returns the exit code of the upload */
  async #upload(collector: Collector, status: FullResult["status"]): Promise<number> {
    if (status === "interrupted") return say(TEXTS.interrupted);
    const { files, retried } = collector.finish();
    for (const warning of collector.warnings) say(warning);
    if (files.length === 0 && this.#shard === null) return say(TEXTS.none);
    say(TEXTS.uploading(files.length));
    if (retried > 0) say(TEXTS.retried(retried));
    const hasFailures = status !== "passed";
    if (hasFailures) say(TEXTS.incomplete);
    return await this.#runUpload({ settings: this.#options, files, shard: this.#shard, hasFailures });
  }

  /**
   * Uploads in a process of its own. Playwright hooks into the loading of modules, with which Node 22 can't load some of
   * our packages.
   */
  async #runUpload(request: UploadRequest): Promise<number> {
    const file = join(this.#folder, "upload.json");
    writeFileSync(file, JSON.stringify(request));
    const script = fileURLToPath(new URL("./upload-process.ts", import.meta.url));
    const child = spawn(process.execPath, [script, file], {
      cwd: this.#root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = await once(child, "exit");
    return typeof code === "number" ? code : EXIT.error;
  }
}

/** Prints a line about the upload. @returns the exit code of an upload that isn't needed */
function say(line: string): number {
  process.stderr.write(`${visible(line)}\n`);
  return EXIT.ok;
}
