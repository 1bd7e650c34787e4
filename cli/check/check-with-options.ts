import type { Capture } from "../../shared/capture/capture-types.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { fractionOf } from "../cloud/run-body.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { loadConfig, loadConfigOrDefault } from "../config/load-config.ts";
import { reportToGithub } from "../output/github.ts";
import { printOutcome } from "../output/outcome.ts";
import { showProgress } from "../output/progress.ts";
import { resultJson, writeResults } from "../output/write-results.ts";
import { readNaming } from "../screenshots/read-naming.ts";
import { requireSetName } from "../screenshots/set-name.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { OPTION_ERRORS } from "../texts/errors.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";
import type { CheckConclusion, CheckEvent, CheckResult } from "./check-result.ts";

/** The options of `vrs check` as given on the command line. */
export interface CheckOptions {
  config?: string;
  url?: string;
  start?: string;
  /** ms */
  startTimeout?: number;
  /** Folders, globs and files, instead of pages. */
  screenshots?: string[];
  name?: string;
  naming?: string;
  subset?: boolean;
  threshold?: string;
  width?: number[];
  env?: string[];
  branch?: string;
  concurrency?: number;
  recordHar?: boolean;
  prove?: boolean;
  watch?: boolean;
  report: boolean;
  /** Paths of the result files. */
  junit?: string;
  output?: string;
}

/** Learns what a check captures. */
export interface CheckObserver {
  onCapture(shot: ScreenshotKey, capture: Capture): void;
  onResult(result: CheckResult): void;
}

/** Runs a check with the options of the command line, and prints its progress and result. @throws CommandError */
export async function checkWithOptions(
  terminal: Terminal,
  { json, quiet, verbose }: GlobalOptions,
  routes: string[],
  options: CheckOptions,
  observer?: CheckObserver,
): Promise<CheckConclusion> {
  const progress = showProgress(terminal, { quiet, verbose });
  const onLine = verbose ? progress.printAppLine : undefined;
  const request = { terminal, routes, options, onEvent: progress.onEvent };
  const checking =
    options.screenshots === undefined
      ? checkPages({ ...request, onLine, observer })
      : checkScreenshotFiles({ ...request, patterns: options.screenshots });
  const result = await checking.finally(() => progress.end());
  observer?.onResult(result);
  if (!json) printOutcome(terminal, result, { quiet });
  await reportToGithub(terminal, result, json);
  // It may fail. With --json, standard output is one document: the result or the error.
  await writeResults(terminal, result, options);
  if (json) terminal.out(resultJson(result));
  return result.conclusion;
}

interface CheckCall {
  terminal: Terminal;
  routes: string[];
  options: CheckOptions;
  onEvent: (event: CheckEvent) => void;
}

interface PagesCall extends CheckCall {
  onLine: ((line: string) => void) | undefined;
  observer: CheckObserver | undefined;
}

/** @throws CommandError `invalid_url` for a text of `--url` that is none */
export function requirePageUrl(url: string | undefined): void {
  if (url !== undefined && !isPageUrl(url)) throw new CommandError("invalid_url", OPTION_ERRORS.url(url));
}

async function checkPages({ onLine, observer, ...call }: PagesCall): Promise<CheckResult> {
  const { terminal, options } = call;
  const { url, start, startTimeout: timeoutMs, recordHar, prove } = options;
  refuse(
    {
      "--name": options.name,
      "--naming": options.naming,
      "--subset": options.subset,
      "--threshold": options.threshold,
    },
    ERRORS.needsScreenshots,
  );
  requirePageUrl(url);
  const { runCheck } = await import("./run-check.ts");
  return await runCheck({
    ...(await loadConfig(terminal, options.config)),
    ...commonOf(call),
    url,
    recordHar,
    prove,
    onCapture: observer?.onCapture,
    ...(start && { start: { command: start, timeoutMs, ...(onLine && { onLine }) } }),
  });
}

async function checkScreenshotFiles({
  patterns,
  ...call
}: CheckCall & { patterns: string[] }): Promise<CheckResult> {
  const { terminal, options } = call;
  const { url, start, startTimeout, subset = false } = options;
  // VRS_URL may be set for other checks of the same job.
  const given = { "--url": url === terminal.env.VRS_URL ? undefined : url };
  refuse(
    {
      ...given,
      "--prove": options.prove,
      "--record-har": options.recordHar,
      "--start": start,
      "--start-timeout": startTimeout,
    },
    ERRORS.withPages,
  );
  const { runScreenshotCheck } = await import("../screenshots/run-screenshot-check.ts");
  const { config, ...place } = await loadConfigOrDefault(terminal, options.config);
  const threshold = options.threshold === undefined ? config.threshold : fractionOf(options.threshold);
  return await runScreenshotCheck({
    ...place,
    config: { ...config, threshold },
    ...commonOf(call),
    screenshots: { patterns, name: requireSetName(options.name), naming: readNaming(options.naming), subset },
  });
}

function commonOf({ terminal, routes, options, onEvent }: CheckCall) {
  const { width: widths, env: environments, branch, concurrency, report } = options;
  const selection = { routes, ...(widths && { widths }), ...(environments && { environments }) };
  return { terminal, selection, branch, concurrency, report, onEvent };
}

function refuse(options: Record<string, unknown>, describe: (option: string) => string): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (given !== undefined) throw new CommandError("usage", describe(given));
}
