import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeAtomically } from "../baselines/write-atomically.ts";
import type { CheckResult } from "../check/check-result.ts";
import { CommandError, type Terminal, toJson } from "../terminal.ts";
import { TOOL_ERRORS } from "../texts/errors.ts";
import { junit } from "./junit.ts";

/** Additional files for a check's result, relative to the folder of the command. */
export interface ResultFiles {
  junit?: string | undefined;
  output?: string | undefined;
}

/** Returns the result as the document of `--json` and `--output`. */
export const resultJson = (result: CheckResult) => `${toJson(result)}\n`;

/** Writes the requested files. @throws CommandError `cannot_write` that names the file */
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
    await writeAtomically(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError("cannot_write", TOOL_ERRORS.cannotWrite(path, why), error);
  }
}
