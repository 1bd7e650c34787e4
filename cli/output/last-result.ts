import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "../../shared/parse-json.ts";
import { type CheckResult, checkResultSchema } from "../check/check-result.ts";
import { CommandError } from "../terminal.ts";

/** Where a check leaves its result, from the folder of the configuration. */
const RESULT = join(".service", "check", "result.json");

/**
 * The result of the last check, of the nearest project at or above a folder.
 * @throws CommandError `no_report` when there is none
 */
export async function lastResult(folder: string): Promise<CheckResult> {
  const file = await findUp(folder);
  if (file === null)
    throw new CommandError("no_report", "Nothing was checked here yet. Run `vrs check` first.");
  const parsed = checkResultSchema.safeParse(await readJson(file));
  if (parsed.success) return parsed.data;
  throw new CommandError(
    "no_report",
    `${file} is of another version of vrs, or damaged. Run \`vrs check\` again.`,
    parsed.error,
  );
}

/** The result of the last check with the path of its report. @throws CommandError `no_report` when there is none */
export async function lastReport(folder: string): Promise<{ result: CheckResult; report: string }> {
  const result = await lastResult(folder);
  const { report } = result;
  if (report !== null && (await exists(report))) return { result, report };
  throw new CommandError("no_report", "The last check left no report. Run `vrs check` again.");
}

async function findUp(folder: string): Promise<string | null> {
  const file = join(folder, RESULT);
  if (await exists(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? null : findUp(parent);
}

async function readJson(file: string): Promise<unknown> {
  return parseJson(await readFile(file, "utf8"));
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
