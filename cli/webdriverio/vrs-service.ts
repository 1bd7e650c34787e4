import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Collection } from "../adapters/collection.ts";
import type { AdapterSettings } from "../adapters/settings.ts";
import { ADAPTER_ERRORS as ERRORS } from "../texts/adapters.ts";
import { isBrowser, vrsScreenshot, type WebdriverScreenshotOptions } from "./vrs-screenshot.ts";

declare global {
  namespace WebdriverIO {
    interface Browser {
      /** Captures the window, or an element, for vrs. @param name such as `Cart/empty` */
      vrsScreenshot(name: string, options?: WebdriverScreenshotOptions): Promise<void>;
    }
  }
}

/** The parts of WebdriverIO's configuration that the service uses. */
const configSchema = z.object({
  rootDir: z.string().optional(),
  shard: z.object({ current: z.number(), total: z.number() }).optional(),
});

/** Passes the folder to the workers. */
const FOLDER_VARIABLE = "VRS_WEBDRIVERIO_FOLDER";

/**
 * Service of WebdriverIO that adds the command `browser.vrsScreenshot`, and uploads the screenshots after the run. By
 * default, only in CI and while `vrs dev` runs.
 */
export class VrsService {
  readonly #settings: AdapterSettings;
  readonly #config: z.infer<typeof configSchema>;
  /** Path of the running test file. */
  #testFile: string | undefined;

  constructor(settings: AdapterSettings = {}, _capabilities?: unknown, config: unknown = {}) {
    this.#settings = settings;
    this.#config = configSchema.safeParse(config).data ?? {};
  }

  /** Runs in the launcher. */
  onPrepare(): void {
    process.env[FOLDER_VARIABLE] = join(tmpdir(), `vrs-webdriverio-${randomUUID()}`);
  }

  /** Runs in each worker. */
  before(_capabilities: unknown, specs: string[], browser: unknown): void {
    if (!isBrowser(browser)) return;
    [this.#testFile] = specs;
    const collection = this.#collection();
    browser.addCommand("vrsScreenshot", async (name: string, options: WebdriverScreenshotOptions = {}) => {
      if (!collection.enabled) return;
      await collection.add(
        await vrsScreenshot(browser, name, options, { testFile: this.#testFile, root: this.#root }),
      );
    });
  }

  /** Runs in the launcher. @throws Error if the run must fail */
  async onComplete(exitCode: number): Promise<void> {
    const { shard } = this.#config;
    const run = { hasFailures: exitCode !== 0, shard: shard && shard.total > 1 ? shard : null };
    if (await this.#collection().finish(run)) throw new Error(ERRORS.failed);
  }

  get #root(): string {
    return this.#config.rootDir ?? process.cwd();
  }

  #collection(): Collection {
    const folder = process.env[FOLDER_VARIABLE] ?? join(tmpdir(), `vrs-webdriverio-${process.pid}`);
    return new Collection(this.#settings, { folder, root: this.#root });
  }
}
