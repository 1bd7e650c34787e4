import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { browserLocation } from "../browser-location.ts";
import type { CheckConclusion } from "../check/check-result.ts";
import { fractionOf } from "../cloud/run-body.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { readWidths } from "../commands/option-values.ts";
import { loadConfigOrDefault } from "../config/load-config.ts";
import { reportToGithub } from "../output/github.ts";
import { printOutcome } from "../output/outcome.ts";
import { showProgress } from "../output/progress.ts";
import { resultJson, writeResults } from "../output/write-results.ts";
import { requireSetName } from "../screenshots/set-name.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts/storybook.ts";
import { openSource } from "./open-source.ts";

/** The options of `vrs storybook` as given on the command line. */
export interface StorybookOptions {
  config?: string;
  /** Script that builds the Storybook; true for the default one. */
  build?: string | boolean;
  story?: string[];
  tags?: string[];
  onlyChanged?: boolean;
  name?: string;
  viewports?: string[];
  threshold?: string;
  width?: number[];
  env?: string[];
  branch?: string;
  concurrency?: number;
  report: boolean;
  /** Paths of the result files. */
  junit?: string;
  output?: string;
}

/** Name of the set of baselines, unless the options name another. */
const DEFAULT_NAME = "storybook";

/** Stories wait for frames of the browser most of the time, so one page doesn't keep a core busy. */
const PAGES_PER_CORE = 1.5;

/** Checks the stories of a Storybook with the options of the command line, and prints progress and result. @throws CommandError */
export async function storybookWithOptions(
  terminal: Terminal,
  { json, quiet, verbose }: GlobalOptions,
  where: string | undefined,
  options: StorybookOptions,
): Promise<CheckConclusion> {
  const { story: routes = [], width: widths, env: environments, branch, report } = options;
  const name = requireSetName(options.name) ?? DEFAULT_NAME;
  const { config: loaded, ...place } = await loadConfigOrDefault(terminal, options.config);
  const configured = loaded.storybook ?? {};
  const { tags = configured.tags } = options;
  const threshold =
    options.threshold === undefined
      ? (configured.threshold ?? loaded.threshold)
      : fractionOf(options.threshold);
  const viewports =
    options.viewports === undefined
      ? (configured.viewports ?? loaded.viewports)
      : readWidths(options.viewports);
  const config = { ...loaded, threshold, viewports };
  const concurrency =
    options.concurrency ?? config.concurrency ?? Math.ceil(availableParallelism() * PAGES_PER_CORE);
  const progress = showProgress(terminal, { quiet, verbose });
  const { onEvent } = progress;
  const check = async () => {
    const source = await openSource(terminal, where ?? sourceOf(configured.source, place.root), {
      build: options.build ?? (where === undefined ? configured.build : undefined),
      onLine: verbose ? progress.printAppLine : () => {},
      onNote: message => onEvent({ type: "note", message }),
    });
    try {
      // A configuration also applies to running Storybooks, whose files aren't known.
      const onlyChanged = options.onlyChanged ?? (source.folder !== null && configured.onlyChanged);
      if (onlyChanged && source.folder === null) throw new CommandError("usage", ERRORS.onlyChangedUrl);
      const { CaptureEngine } = await import("../check/capture-engine.ts");
      const location = browserLocation(terminal.env, place.root, config.browser.path);
      const engine = new CaptureEngine({ ...location, pages: concurrency });
      try {
        // The browser starts while more modules load. The check awaits it, and gets its error.
        engine.start().catch(() => {});
        const { runStorybookCheck } = await import("./run-storybook-check.ts");
        const selection = { routes, ...(widths && { widths }), ...(environments && { environments }) };
        return await runStorybookCheck({
          ...{ ...place, config, terminal, source, engine, name, selection, tags },
          ...{ onlyChanged, branch, concurrency, report, onEvent },
        });
      } finally {
        await engine.close();
      }
    } finally {
      await source.close();
    }
  };
  const result = await check().finally(() => progress.end());
  if (!json) printOutcome(terminal, result, { quiet });
  await reportToGithub(terminal, result, json);
  await writeResults(terminal, result, options);
  if (json) terminal.out(resultJson(result));
  return result.conclusion;
}

/** Folders in the configuration are relative to its file. */
function sourceOf(source: string | undefined, root: string): string | undefined {
  return source === undefined || isPageUrl(source) ? source : resolve(root, source);
}
