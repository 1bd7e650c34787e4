import type { ReadConfig } from "../failure.ts";
import { checkReading } from "./check-reading.ts";
import { readSource } from "./read-source.ts";
import { readYaml } from "./read-yaml.ts";
import { isYaml } from "./reading.ts";

/** Reads a source in this process. A hostile source can crash or block it: see `readInChildProcess`. */
export function readInThisProcess(source: string, fileName: string): ReadConfig {
  return checkReading(source, isYaml(fileName) ? readYaml(source) : readSource(source, fileName));
}
