import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection } from "../adapters/collection.ts";
import type { AdapterSettings } from "../adapters/settings.ts";
import { ADAPTER_ERRORS as ERRORS } from "../texts/adapters.ts";
import { MATCHER_COMMAND, matchScreenshotCommand } from "./match-screenshot.ts";
import { screenshotCommand } from "./vrs-screenshot.ts";

/** The parts of Vitest that the plugin uses. */
interface TestRunner {
  config: { root: string; reporters: unknown[]; shard?: { index: number; count: number } | undefined };
}

/** The parts of Vite's configuration that the plugin uses. */
interface UserConfig {
  root?: string;
  test?: { browser?: { instances?: readonly { browser: string }[] } };
}

/** A plugin of Vite and Vitest. */
export interface VrsPlugin {
  name: string;
  config(config?: UserConfig): {
    test: { browser: { commands: Record<string, (context: never, ...args: never[]) => unknown> } };
  };
  configureVitest(context: { vitest: unknown }): void;
}

/**
 * Returns the plugin that adds the command `vrsScreenshot` to Vitest's browser mode. When the tests end, it uploads these
 * screenshots and those of `toMatchScreenshot`. By default, only in CI and while `vrs dev` runs.
 */
export function vrs(settings: AdapterSettings = {}): VrsPlugin {
  // Replaced by the test run's before the first test.
  let collection = collectionIn(settings, process.cwd());
  return {
    name: "vrs",
    config({ root, test } = {}) {
      if (root !== undefined) collection = collectionIn(settings, root);
      const { enabled } = collection;
      const browsers = new Set(test?.browser?.instances?.map(({ browser }) => browser));
      const commands = {
        vrsScreenshot: screenshotCommand(() => collection, browsers.size > 1),
        ...(enabled && { [MATCHER_COMMAND]: matchScreenshotCommand(() => collection) }),
      };
      return { test: { browser: { commands } } };
    },
    configureVitest({ vitest }) {
      if (!isRunner(vitest)) return;
      const { root, reporters } = vitest.config;
      const known = collections.get(vitest);
      collection = known ?? collectionIn(settings, root);
      if (known !== undefined) return;
      collections.set(vitest, collection);
      reporters.push(reporterOf(collection, vitest));
    },
  };
}

/** The collections of test runs. Each project of a test run has a plugin. */
const collections = new WeakMap<object, Collection>();

/** Returns the reporter that uploads at the end of the tests. */
function reporterOf(collection: Collection, { config }: TestRunner) {
  return {
    async onTestRunEnd(_modules: unknown, errors: readonly unknown[], reason: string): Promise<void> {
      if (reason === "interrupted") return;
      const { shard } = config;
      const isFailed = await collection.finish({
        hasFailures: reason !== "passed" || errors.length > 0,
        shard: shard ? `${shard.index}/${shard.count}` : null,
      });
      if (!isFailed) return;
      process.exitCode = 1;
      process.stderr.write(`${ERRORS.failed}\n`);
    },
  };
}

function collectionIn(settings: AdapterSettings, root: string): Collection {
  return new Collection(settings, { folder: join(tmpdir(), `vrs-vitest-${process.pid}`), root });
}

function isRunner(vitest: unknown): vitest is TestRunner {
  return typeof vitest === "object" && vitest !== null && "config" in vitest;
}
