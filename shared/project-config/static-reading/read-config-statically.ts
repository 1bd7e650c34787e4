import type { ReadConfig } from "../failure.ts";
import { FILE_ERRORS } from "../texts.ts";
import { checkReading } from "./check-reading.ts";
import { readInChildProcess } from "./read-in-child-process.ts";
import { isYaml } from "./reading.ts";

/** Settings of their own for 500 routes take half of it. */
const MAX_SCRIPT_KIB = 256;
/** What a pull request overrides is less, and a YAML parser takes more time for it. */
const MAX_YAML_KIB = 64;

/**
 * Reads a project's configuration from the text of `service.config.ts`, or of a `.yml` file, without running any of it.
 * It is for files that others wrote. What cannot be read so is a fault with its place and what to write instead; fields
 * that only the command-line tool uses are left out where they cannot be read, and plugins always.
 *
 * @throws Error when this machine cannot start a process, or does not get it done: try again
 */
export async function readConfigStatically(source: string, fileName: string): Promise<ReadConfig> {
  const kib = isYaml(fileName) ? MAX_YAML_KIB : MAX_SCRIPT_KIB;
  if (Buffer.byteLength(source) > kib * 1024) {
    const message = FILE_ERRORS.tooLarge(kib);
    return checkReading("", { root: null, faults: [{ code: "too-large", start: 0, end: 0, message }] });
  }
  return readInChildProcess(source, fileName);
}
