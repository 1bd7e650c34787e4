import { basename } from "node:path";
import process from "node:process";
import { version } from "../../shared/process.ts";
import type { BaselinesToCompare } from "../baselines/baselines.ts";
import { writeAtomically } from "../baselines/write-atomically.ts";
import type { Configuration } from "../config/load-config.ts";
import { notifyReported } from "../plugins/run-hooks.ts";
import type { CheckFolder } from "./check-folder.ts";
import type { CheckEvent, CheckResult } from "./check-result.ts";
import { concludeCheck, countScreenshots, otherBrowserWarning } from "./conclude-check.ts";
import { reportOf } from "./report-of.ts";

/** This platform, as in manifests. */
export const PLATFORM = `${process.platform} ${process.arch}`;

/** What a check of pages or of screenshot files found. */
export interface Findings extends Pick<CheckResult, "baseUrl" | "source" | "screenshots"> {
  startedAt: Date;
  baselines: BaselinesToCompare;
  folder: CheckFolder;
  changedStories?: CheckResult["changedStories"];
  /** Warnings about the whole check. */
  warnings?: readonly string[];
}

/** Where the result goes. */
interface Reporting extends Pick<Configuration, "config" | "root"> {
  /** Whether to write the HTML report; true by default. */
  report?: boolean | undefined;
  onEvent?: (event: CheckEvent) => void;
}

/** Concludes a check: writes its result and report, and notifies the plugins. @throws CommandError `plugin_failed` */
export async function finishCheck(
  { config, root, report, onEvent = () => {} }: Reporting,
  findings: Findings,
): Promise<CheckResult> {
  const { folder } = findings;
  const result = resultOf(findings, report === false ? null : folder.report);
  for (const message of result.warnings) onEvent({ type: "warning", message });
  await writeReport(result, root);
  await folder.finish(result);
  await notifyReported(config.plugins, result);
  onEvent({ type: "completed", result });
  return result;
}

function resultOf(
  { startedAt, baseUrl, baselines, source, screenshots, changedStories = null, warnings = [] }: Findings,
  report: string | null,
): CheckResult {
  const { directory, ref } = baselines.compared;
  const counts = countScreenshots(screenshots);
  const warning = otherBrowserWarning(screenshots, PLATFORM);
  return {
    version: 1,
    vrs: version,
    baseUrl,
    baseline: { directory, ref },
    source,
    changedStories,
    browser: screenshots.find(({ browser }) => browser !== null)?.browser ?? null,
    platform: PLATFORM,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    conclusion: concludeCheck(counts),
    counts,
    screenshots,
    warnings: warning ? [...warnings, warning] : [...warnings],
    report,
  };
}

async function writeReport(result: CheckResult, root: string): Promise<void> {
  if (result.report === null) return;
  const { renderReport } = await import("../../shared/report/render/render-report.ts");
  await writeAtomically(result.report, renderReport(reportOf(result, basename(root), result.report)));
}
