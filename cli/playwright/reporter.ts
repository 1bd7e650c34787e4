import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FullConfig, FullResult, Reporter, TestCase, TestResult } from "playwright/types/testReporter";
import { visible } from "../../shared/text/visible-text.ts";
import { runUpload } from "../adapters/run-upload.ts";
import { sendToReviewServer } from "../review-server/send-to-review-server.ts";
import { findReviewServer, type ReviewServerAddress } from "../review-server/server-file.ts";
import { EXIT } from "../terminal.ts";
import { PLAYWRIGHT_TEXTS as TEXTS } from "../texts/playwright.ts";
import { Collector } from "./collector.ts";
import type { ReporterOptions } from "./settings.ts";

/** What the reporter changes about the result of the test run. */
type Verdict = { status: "failed" } | undefined;

/** Reporter for Playwright's runner that uploads the screenshots of the tests as a build. */
export default class VrsReporter implements Reporter {
  readonly #options: ReporterOptions;
  #shard: string | null = null;
  #root = process.cwd();
  /** Null before the tests begin. */
  #collector: Collector | null = null;
  #folder = "";
  /** The running `vrs dev`, which then gets the screenshots instead of the service. */
  #reviewServer: ReviewServerAddress | null = null;
  readonly #sending: Promise<string | null>[] = [];

  constructor(options: ReporterOptions = {}) {
    this.#options = options;
  }

  onBegin({ configFile, shard }: FullConfig): void {
    const { snapshotFolder = "", enabled = true, attachments = true } = this.#options;
    if (!enabled) return;
    this.#shard = shard && `${shard.current}/${shard.total}`;
    if (configFile !== undefined) this.#root = dirname(configFile);
    this.#reviewServer = findReviewServer(this.#root, process.env);
    this.#folder = snapshotFolder || join(tmpdir(), `vrs-playwright-${process.pid}`);
    this.#collector = new Collector({
      ...{ folder: this.#folder, snapshotFolder, root: this.#root },
      withAttachments: attachments && this.#reviewServer === null,
    });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const server = this.#reviewServer;
    for (const { file, metadata } of this.#collector?.add(test, result) ?? [])
      if (server !== null) this.#sending.push(sendToReviewServer(server, file, metadata));
  }

  async onEnd({ status }: FullResult): Promise<Verdict> {
    if (this.#collector === null) return undefined;
    const { failOnChanges = false, failOnError = false } = this.#options;
    try {
      if (this.#reviewServer !== null) return await this.#awaitSent(this.#reviewServer, this.#collector);
      const code = await this.#upload(this.#collector, status);
      const fails = code === EXIT.changed ? failOnChanges : code !== EXIT.ok && failOnError;
      return fails ? { status: "failed" } : undefined;
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #awaitSent({ url }: ReviewServerAddress, { warnings }: Collector): Promise<undefined> {
    const failures = (await Promise.all(this.#sending)).filter(failure => failure !== null);
    for (const line of new Set([...warnings, ...failures])) say(line);
    say(TEXTS.sent(this.#sending.length - failures.length, url));
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
    return await runUpload(
      { settings: this.#options, files, shard: this.#shard, hasFailures },
      { folder: this.#folder, root: this.#root },
    );
  }
}

/** Prints a line about the upload. @returns the exit code of an upload that isn't needed */
function say(line: string): number {
  process.stderr.write(`${visible(line)}\n`);
  return EXIT.ok;
}
