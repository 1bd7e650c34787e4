import { availableParallelism } from "node:os";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import {
  type Baselines,
  type BaselinesToCompare,
  screenshotBaselinesFolder,
} from "../baselines/baselines.ts";
import { openBaselines } from "../baselines/read-baselines.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { CheckEvent, CheckResult, ScreenshotSource } from "../check/check-result.ts";
import { CompareEngine } from "../check/compare-engine.ts";
import { finishCheck, PLATFORM } from "../check/finish-check.ts";
import { addRemoved } from "../check/screenshots/add-removed.ts";
import type { Counterpart } from "../check/screenshots/compare-screenshot.ts";
import { type Selection, selectScreenshots } from "../check/screenshots/select-screenshots.ts";
import { type Configuration, screenshotConfigHash } from "../config/load-config.ts";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { checkFiles } from "./check-files.ts";
import { findScreenshots, type ScreenshotFile } from "./find-screenshots.ts";
import { pairBaselines } from "./pair-baselines.ts";
import { type PlannedFile, planFiles } from "./plan-files.ts";

export interface ScreenshotCheckRequest extends Configuration {
  terminal: Terminal;
  /** The files, with patterns relative to the working directory. */
  screenshots: ScreenshotSource;
  /** The files, if they were found before. */
  files?: readonly ScreenshotFile[] | undefined;
  selection?: Selection | undefined;
  /** Branch, tag or commit with the baselines to compare; by default the configured one. */
  branch?: string | undefined;
  /** Number of images at the same time; by default the configured one, otherwise the number of cores. */
  concurrency?: number | undefined;
  /** Folder of the result; by default the one of the last check. */
  folder?: CheckFolder | undefined;
  /** Whether to write the HTML report; true by default. */
  report?: boolean | undefined;
  onEvent?: (event: CheckEvent) => void;
}

/**
 * Compares screenshot files, such as those of the user's own tests, with their baselines. Needs no browser. Stores the
 * result as `runCheck` does.
 * @throws CommandError `no_screenshots`, `screenshot_name_invalid`, `sidecar_invalid`, `nothing_selected`,
 * `plugin_failed` …; the reason of the terminal's signal
 */
export async function runScreenshotCheck(request: ScreenshotCheckRequest): Promise<CheckResult> {
  const { config, root, terminal, screenshots: source, onEvent = () => {} } = request;
  const startedAt = new Date();
  const files = request.files ?? (await findScreenshots(source.patterns, terminal.cwd, source.naming));
  const all = await planFiles(files, config);
  const selected = selectScreenshots(all, request.selection ?? {});
  const folder = request.folder ?? new CheckFolder(root);
  await folder.prepare();
  onEvent({ type: "planned", shots: selected.map(pickPage) });
  const directory = screenshotBaselinesFolder(request, source.name);
  const [baselines, commit] = await Promise.all([
    openBaselines(directory, request.branch ?? config.baselines.branch, all),
    gitLine(root, ["rev-parse", "HEAD"]),
  ]);
  const counterpartOf = counterparts(all, baselines);
  const concurrency = request.concurrency ?? config.concurrency ?? availableParallelism();
  const engine = new CompareEngine({ threads: concurrency });
  try {
    const { plugins } = config;
    const work = { engine, folder, root, plugins, concurrency, platform: PLATFORM, counterpartOf, onEvent };
    const checked = await checkFiles(selected, work, terminal.signal);
    const replaced = all.flatMap(file => counterpartOf(file).baseline ?? []);
    const screenshots = source.subset
      ? checked
      : await addRemoved(checked, { all: [...all, ...replaced], baselines, folder, request });
    const configuration = { config: request.file, configHash: screenshotConfigHash(config) };
    return await finishCheck(request, {
      ...{ startedAt, baselines, screenshots, folder },
      baseUrl: source.patterns.join(", "),
      source: { ...configuration, commit: commit || null, screenshots: source },
    });
  } finally {
    await engine.close();
  }
}

function counterparts(
  files: readonly PlannedFile[],
  { compared, here }: BaselinesToCompare,
): (file: PlannedFile) => Counterpart {
  const finder = (baselines: Baselines) => {
    const find = pairBaselines(files, baselines);
    return (file: PlannedFile) => {
      const { previousNames, viewport } = file.metadata;
      return find({ ...file, previousNames, hasOwnWidth: viewport === undefined });
    };
  };
  const inCompared = finder(compared);
  return file => ({ baseline: inCompared(file), own: here?.of(file) ?? null, ref: compared.ref });
}
