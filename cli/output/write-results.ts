import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeWhole } from "../baselines/write-whole.ts";
import type { CheckResult } from "../check/check-result.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { TOOL_ERRORS } from "../texts/errors.ts";
import { junit } from "./junit.ts";
import { toJson } from "./to-json.ts";

/** Files that a check's result is written to beside its report, relative to the folder that the command was called in. */
export interface ResultFiles {
  junit?: string | undefined;
  output?: string | undefined;
}

/** The result as the JSON document of `--json` and `--output`. */
export const resultJson = (result: CheckResult) => `${toJson(result)}\n`;

/** Writes the files that were asked for. @throws CommandError `cannot_write` that names the file */
export async function writeResults(
  { cwd }: Pick<Terminal, "cwd">,
  result: CheckResult,
  files: ResultFiles,
): Promise<void> {
  if (files.junit !== undefined) await write(resolve(cwd, files.junit), junit(result));
  if (files.output !== undefined) await write(resolve(cwd, files.output), resultJson(result));
}

async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError("cannot_write", TOOL_ERRORS.cannotWrite(path, why), error);
  }
}
