import type { ReadConfig } from "../failure.ts";
import { FILE_ERRORS } from "../texts.ts";
import { checkReading } from "./check-reading.ts";
import { readInChildProcess } from "./read-in-child-process.ts";
import { isYaml } from "./reading.ts";

/** Individual settings for 500 routes take half of it. */
const MAX_SCRIPT_KIB = 256;
/** Overrides in a pull request are smaller, and the YAML parser is slower. */
const MAX_YAML_KIB = 64;

/**
 * Reads a project's configuration from the text of `service.config.ts` or a `.yml` file, without running it.
 * Use it for untrusted files. An unreadable part is a failure, with its position and what to write instead.
 * Unreadable fields that only the command line uses are left out. Plugins are always left out.
 * @throws Error if this machine can't start a process, or it doesn't finish. Retry
 */
export async function readConfigStatically(source: string, fileName: string): Promise<ReadConfig> {
  const kib = isYaml(fileName) ? MAX_YAML_KIB : MAX_SCRIPT_KIB;
  if (Buffer.byteLength(source) > kib * 1024) {
    const message = FILE_ERRORS.tooLarge(kib);
    return checkReading("", { root: null, failures: [{ code: "too-large", start: 0, end: 0, message }] });
  }
  return readInChildProcess(source, fileName);
}
