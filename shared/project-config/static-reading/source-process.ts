import { readFileSync } from "node:fs";
import { readInThisProcess } from "./read-in-this-process.ts";

/**
 * Reads one source in its own process. `{ fileName, source }` is the input, and a `ReadConfig` the output.
 */
const given: unknown = JSON.parse(readFileSync(0, "utf8"));
if (typeof given !== "object" || given === null || !("source" in given) || !("fileName" in given)) {
  throw new Error("It needs a source and its file's name");
}
process.stdout.write(JSON.stringify(readInThisProcess(String(given.source), String(given.fileName))));
