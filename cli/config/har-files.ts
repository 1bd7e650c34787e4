import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { HarFiles } from "../../shared/capture/capture-types.ts";
import { parseHar } from "../../shared/capture/network/har/har-format.ts";
import { HarRecorder } from "../../shared/capture/network/har/har-recorder.ts";
import { HarReplay } from "../../shared/capture/network/har/har-replay.ts";
import type { NetworkRule } from "../../shared/contracts/capture/network-rule.ts";
import { writeAtomically } from "../baselines/write-atomically.ts";
import { CommandError } from "../terminal.ts";
import { RULE_FILE_ERRORS } from "../texts/errors.ts";

/** A recording is smaller: see the limits of `HarRecorder`. */
const MAX_HAR_MIB = 100;

interface HarSource {
  /** Folder that paths are relative to. */
  root: string;
  /** URL of the application whose responses are recorded; null to replay the files. */
  recordedSite: string | null;
}

/**
 * Reads the HAR files that network rules name, each once.
 * @throws CommandError `rule_file_invalid` that names the rule and the file
 */
export async function readHars(
  rules: readonly NetworkRule[],
  { root, recordedSite }: HarSource,
): Promise<HarFiles> {
  const hars = new Map<string, HarReplay | HarRecorder>();
  for (const rule of rules) {
    if (rule.action !== "har" || hars.has(rule.file)) continue;
    const text = await readHar(rule.url, rule.file, root);
    const har = text === null ? null : parseHar(text);
    const { unreadable, noHar, notHar } = RULE_FILE_ERRORS;
    const refuse = (why: string) =>
      new CommandError("rule_file_invalid", unreadable(rule.url, rule.file, why));
    if (text !== null && har === null) throw refuse(notHar);
    if (recordedSite !== null) hars.set(rule.file, new HarRecorder(recordedSite, har));
    else if (har === null) throw refuse(noHar);
    else hars.set(rule.file, new HarReplay(har));
  }
  if (recordedSite !== null && hars.size === 0) throw new CommandError("usage", RULE_FILE_ERRORS.noHarRule);
  return hars;
}

/** Writes the recorded files. @returns what was recorded, as sentences */
export async function writeHars(hars: HarFiles, root: string): Promise<string[]> {
  const notes: string[] = [];
  for (const [file, har] of hars) {
    if (!(har instanceof HarRecorder)) continue;
    const path = resolve(root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, har.print());
    notes.push(RULE_FILE_ERRORS.recorded(file, har.size));
    if (har.skipped > 0) notes.push(RULE_FILE_ERRORS.skipped(file, har.skipped));
  }
  return notes;
}

/** Returns the text of a file; null if it doesn't exist. */
async function readHar(url: string, file: string, root: string): Promise<string | null> {
  const { unreadable, tooLarge } = RULE_FILE_ERRORS;
  const path = resolve(root, file);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return null;
  if (found.size > MAX_HAR_MIB * 1024 * 1024)
    throw new CommandError("rule_file_invalid", unreadable(url, file, tooLarge(MAX_HAR_MIB)));
  return await readFile(path, "utf8").catch((error: unknown) => {
    const why = `${error instanceof Error ? error.message : String(error)}.`;
    throw new CommandError("rule_file_invalid", unreadable(url, file, why), error);
  });
}
