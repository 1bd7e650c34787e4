import { isPageUrl } from "../../shared/contracts/fields.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { loadConfig } from "../config/load-config.ts";
import { reportToGithub } from "../output/github.ts";
import { printOutcome } from "../output/outcome.ts";
import { showProgress } from "../output/progress.ts";
import { resultJson, writeResults } from "../output/write-results.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { OPTION_ERRORS } from "../texts/errors.ts";
import type { CheckConclusion } from "./check-result.ts";
import { runCheck } from "./run-check.ts";

/** The options of `vrs check` as given on the command line. */
export interface CheckOptions {
  config?: string;
  url?: string;
  start?: string;
  /** ms */
  startTimeout?: number;
  width?: number[];
  env?: string[];
  branch?: string;
  concurrency?: number;
  report: boolean;
  /** Paths of the result files. */
  junit?: string;
  output?: string;
}

/** Runs a check with the options of the command line, and prints its progress and result. @throws CommandError */
export async function checkWithOptions(
  terminal: Terminal,
  { json, quiet, verbose }: GlobalOptions,
  routes: string[],
  options: CheckOptions,
): Promise<CheckConclusion> {
  const {
    url,
    start,
    startTimeout: timeoutMs,
    width: widths,
    env: environments,
    branch,
    concurrency,
    report,
  } = options;
  if (url !== undefined && !isPageUrl(url)) {
    throw new CommandError("invalid_url", OPTION_ERRORS.url(url));
  }
  const configuration = await loadConfig(terminal, options.config);
  const progress = showProgress(terminal, { quiet, verbose });
  const result = await runCheck({
    ...configuration,
    ...{ terminal, url, branch, concurrency, report },
    selection: { routes, ...(widths && { widths }), ...(environments && { environments }) },
    ...(start && { start: { command: start, timeoutMs, ...(verbose && { onLine: progress.printAppLine }) } }),
    onEvent: progress.onEvent,
  }).finally(() => progress.end());
  if (!json) printOutcome(terminal, result, { quiet });
  await reportToGithub(terminal, result, json);
  // It may fail. With --json, standard output is one document: the result or the error.
  await writeResults(terminal, result, options);
  if (json) terminal.out(resultJson(result));
  return result.conclusion;
}
