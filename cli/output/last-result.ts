import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { CheckFolder } from "../check/check-folder.ts";
import type { CheckResult } from "../check/check-result.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";

/**
 * Reads the last check's result of the nearest project at or above a folder.
 * @throws CommandError `no_check` if there is none
 */
export async function lastResult(folder: string): Promise<CheckResult> {
  const result = await new CheckFolder(folder).last();
  if (result !== null) return result;
  const parent = dirname(folder);
  if (parent !== folder) return await lastResult(parent);
  throw new CommandError("no_check", CHECK_ERRORS.neverChecked);
}

/** Reads the last check's result with the path of its report. @throws CommandError `no_check`, `no_report` */
export async function lastReport(folder: string): Promise<{ result: CheckResult; report: string }> {
  const result = await lastResult(folder);
  const { report } = result;
  if (report !== null && (await exists(report))) return { result, report };
  throw new CommandError("no_report", CHECK_ERRORS.noReport);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the routes of the last check that are safe on a command line; none without a check. */
export async function lastRoutes(folder: string): Promise<string[]> {
  try {
    const result = await lastResult(folder);
    const routes = new Set(result.screenshots.map(({ route }) => route));
    // Shells interpret other characters.
    return [...routes].filter(route => /^[\w/.~%=,@+-]+$/.test(route));
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}
