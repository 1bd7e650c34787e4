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

/** The capabilities of a run, each for a browser. Other forms are for tests that use several browsers at once. */
const capabilitiesSchema = z.array(z.looseObject({ browserName: z.string().optional() })).catch([]);

/** Passes the folder to the workers. */
const FOLDER_VARIABLE = "VRS_WEBDRIVERIO_FOLDER";
/** Tells the workers that there are several browsers, so that each one is an environment. */
const BROWSERS_VARIABLE = "VRS_WEBDRIVERIO_BROWSERS";

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
  onPrepare(_config: unknown, capabilities: unknown): void {
    process.env[FOLDER_VARIABLE] = join(tmpdir(), `vrs-webdriverio-${randomUUID()}`);
    const browsers = new Set(capabilitiesSchema.parse(capabilities).map(({ browserName }) => browserName));
    process.env[BROWSERS_VARIABLE] = browsers.size > 1 ? "1" : "";
  }

  /** Runs in each worker. */
  before(_capabilities: unknown, specs: string[], browser: unknown): void {
    if (!isBrowser(browser)) return;
    [this.#testFile] = specs;
    const collection = this.#collection();
    const { browserName } = browser.capabilities;
    const preset = process.env[BROWSERS_VARIABLE] && browserName ? { environment: browserName } : {};
    browser.addCommand("vrsScreenshot", async (name: string, options: WebdriverScreenshotOptions = {}) => {
      if (!collection.enabled) return;
      await collection.add(
        await vrsScreenshot(
          browser,
          name,
          { ...preset, ...options },
          { testFile: this.#testFile, root: this.#root },
        ),
      );
    });
  }

  /** Runs in the launcher. @throws Error if the run must fail */
  async onComplete(exitCode: number): Promise<void> {
    const { shard } = this.#config;
    const run = {
      hasFailures: exitCode !== 0,
      shard: shard && shard.total > 1 ? `${shard.current}/${shard.total}` : null,
    };
    if (!(await this.#collection().finish(run))) return;
    // WebdriverIO logs errors of services with other names, and the run still passes.
    throw Object.assign(new Error(ERRORS.failed), { name: "SevereServiceError" });
  }

  get #root(): string {
    return this.#config.rootDir ?? process.cwd();
  }

  #collection(): Collection {
    const folder = process.env[FOLDER_VARIABLE] ?? join(tmpdir(), `vrs-webdriverio-${process.pid}`);
    return new Collection(this.#settings, { folder, root: this.#root });
  }
}
