import { readFile, stat } from "node:fs/promises";
import type { z } from "zod";
import {
  type ScreenshotMetadata,
  SIDECAR_ENDING,
  screenshotMetadata,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { parseJson } from "../../shared/json.ts";
import { describeInvalid, fieldError, fieldPath } from "../../shared/text/describe-invalid.ts";
import { nearestName } from "../../shared/text/nearest-name.ts";
import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";
import type { ScreenshotFile } from "./find-screenshots.ts";

/** Far more than the metadata of one screenshot. */
const MAX_BYTES = 1024 * 1024;
/** Maximum of errors shown. The others appear once these are fixed. */
const MAX_SHOWN = 10;

/**
 * Reads the metadata of a screenshot: its sidecar file, such as `button.png.json`, over what its file name says.
 * @throws CommandError `sidecar_invalid` that names the file and the fields
 */
export async function readMetadata({
  environment,
  width,
  path,
}: ScreenshotFile): Promise<ScreenshotMetadata> {
  return {
    ...(environment !== undefined && { environment }),
    ...(width !== undefined && { viewport: { width } }),
    ...(await readSidecar(path)),
  };
}

async function readSidecar(image: string): Promise<ScreenshotMetadata> {
  const path = image + SIDECAR_ENDING;
  const known = await stat(path).catch(() => null);
  if (known === null) return {};
  const refuse = (why: string, cause?: unknown) =>
    new CommandError("sidecar_invalid", ERRORS.sidecar(path, why), cause);
  if (!known.isFile()) throw refuse(ERRORS.sidecarReasons.notAFile);
  if (known.size > MAX_BYTES) throw refuse(ERRORS.sidecarReasons.tooLarge);
  const value = parseJson(await readFile(path, "utf8"));
  if (value === null || typeof value !== "object") throw refuse(ERRORS.sidecarReasons.notJson);
  const read = screenshotMetadata.safeParse(value, { error: describeInvalid });
  if (read.success) return read.data;
  throw refuse(read.error.issues.flatMap(describeIssue).slice(0, MAX_SHOWN).join(" "), read.error);
}

/** Returns what is wrong with metadata, one text for each field. */
export function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== "unrecognized_keys")
    return [fieldError(fieldPath(issue.path), issue.message, ERRORS.sidecarReasons.whole)];
  const known = issue.path.length === 0 ? Object.keys(screenshotMetadata.shape) : [];
  return issue.keys.map(key => ERRORS.unknownField(fieldPath([...issue.path, key]), nearestName(key, known)));
}
