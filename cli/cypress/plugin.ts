import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { Collection } from "../adapters/collection.ts";
import type { AdapterSettings } from "../adapters/settings.ts";
import { ADAPTER_ERRORS as ERRORS } from "../texts/adapters.ts";

/** What the command sends to the plugin. */
export interface CypressScreenshot {
  name: string;
  /** Path of the file that Cypress wrote. */
  path: string;
  metadata: ScreenshotMetadata;
}

/** Settings of `vrs`. */
export interface CypressSettings extends AdapterSettings {
  /**
   * Position of this machine, if several run parts of the tests: such as `2/4`, or `auto`. As `--parallel` of
   * `vrs upload`.
   */
  readonly parallel?: string;
}

/** The function `on` of `setupNodeEvents`: Cypress's own, of any version. */
type Events = (event: never, handler: never) => void;

/**
 * Adds the task behind `cy.vrsScreenshot`, and uploads the screenshots after the run. By default, only in CI and while
 * `vrs dev` runs.
 * @returns the handler of `after:run`, since Cypress calls only the last one
 * @throws Error for a nonce without `parallel`
 */
export function vrs(
  on: Events,
  { projectRoot }: { projectRoot: string },
  settings: CypressSettings = {},
): (results: unknown) => Promise<void> {
  const { nonce, parallel: shard = null } = settings;
  const folder = join(tmpdir(), `vrs-cypress-${process.pid}`);
  const collection = new Collection(settings, { folder, root: projectRoot });
  if (collection.enabled && nonce !== undefined && shard === null) throw new Error(ERRORS.needsParallel);
  const listen = (event: string, handler: unknown) => Reflect.apply(on, null, [event, handler]);
  listen("task", {
    vrsScreenshot: async ({ name, path, metadata }: CypressScreenshot): Promise<null> => {
      const image = await readFile(path).catch((cause: unknown) => {
        throw new Error(ERRORS.noImage(name), { cause });
      });
      // Cypress would keep it among the screenshots of failed tests.
      await rm(path, { force: true });
      await collection.add({ name, image, metadata });
      return null;
    },
    vrsEnabled: () => collection.enabled,
  });
  const afterRun = async (results: unknown): Promise<void> => {
    const isFailed = await collection.finish({ hasFailures: hasFailures(results), shard });
    // Cypress ends the run with its message.
    if (isFailed) throw new Error(ERRORS.failed);
  };
  listen("after:run", afterRun);
  return afterRun;
}

/** Without results, Cypress itself failed. */
function hasFailures(results: unknown): boolean {
  if (typeof results !== "object" || results === null) return true;
  return "status" in results && results.status === "failed"
    ? true
    : !("totalFailed" in results && results.totalFailed === 0);
}
