import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { z } from "zod";
import { attachment } from "../../shared/contracts/builds/attachments.ts";
import {
  type ScreenshotMetadata,
  SIDECAR_ENDING,
  screenshotMetadata,
  UPLOAD_BOUNDS,
} from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { text } from "../../shared/contracts/fields.ts";
import { parseJson } from "../../shared/json.ts";
import { describeInvalid, fieldError, fieldPath } from "../../shared/text/describe-invalid.ts";
import { nearestName } from "../../shared/text/nearest-name.ts";
import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS as ERRORS } from "../texts/screenshots.ts";
import type { AttachedFile, ScreenshotFile } from "./find-screenshots.ts";

/** Far more than the metadata of one screenshot. */
const MAX_BYTES = 1024 * 1024;
const PATH_CHARS = 1_000;
/** Maximum of errors shown. The others appear once these are fixed. */
const MAX_SHOWN = 10;

/** An attachment in a sidecar file. */
const sidecarAttachment = attachment.or(
  z.strictObject({
    name: text(100),
    /** Path from the folder of the image. */
    file: text(PATH_CHARS),
  }),
);

const sidecar = screenshotMetadata.extend({
  attachments: z.array(sidecarAttachment).max(UPLOAD_BOUNDS.attachments).optional(),
});

/** The metadata of a screenshot, and the files that belong to it. */
export interface FileMetadata {
  metadata: ScreenshotMetadata;
  /** Files that its sidecar file names. */
  files: AttachedFile[];
}

/**
 * Reads the metadata of a screenshot: its sidecar file, such as `button.png.json`, over what its file name says.
 * @throws CommandError `sidecar_invalid` that names the file and the fields
 */
export async function readMetadata(file: ScreenshotFile): Promise<ScreenshotMetadata> {
  return (await readFileMetadata(file)).metadata;
}

/** Reads the metadata of a screenshot like readMetadata, and the files to attach. @throws CommandError `sidecar_invalid` */
export async function readFileMetadata({ environment, width, path }: ScreenshotFile): Promise<FileMetadata> {
  const { attachments, ...own } = await readSidecar(path);
  const files = attachments?.flatMap(each => ("file" in each ? [{ name: each.name, path: each.file }] : []));
  const others = attachments?.flatMap(each => ("file" in each ? [] : [each]));
  return {
    metadata: {
      ...(environment !== undefined && { environment }),
      ...(width !== undefined && { viewport: { width } }),
      ...own,
      ...(others && others.length > 0 && { attachments: others }),
    },
    files: await Promise.all((files ?? []).map(file => besideImage(path, file))),
  };
}

/**
 * Returns an attached file by its absolute path. It must be below the folder of its image: images of a foreign branch
 * must not name files such as those with keys. @throws CommandError `sidecar_invalid`
 */
async function besideImage(image: string, { name, path }: AttachedFile): Promise<AttachedFile> {
  const folder = await realpath(dirname(image));
  const found = await realpath(resolve(folder, path)).catch(() => null);
  const isBelow = found?.startsWith(folder + sep) ?? false;
  if (found === null || !isBelow) {
    const { missingFile, foreignFile } = ERRORS.sidecarReasons;
    throw new CommandError(
      "sidecar_invalid",
      ERRORS.sidecar(image + SIDECAR_ENDING, found === null ? missingFile(path) : foreignFile(path)),
    );
  }
  return { name, path: found };
}

async function readSidecar(image: string): Promise<z.infer<typeof sidecar>> {
  const path = image + SIDECAR_ENDING;
  const known = await stat(path).catch(() => null);
  if (known === null) return {};
  const refuse = (why: string, cause?: unknown) =>
    new CommandError("sidecar_invalid", ERRORS.sidecar(path, why), cause);
  if (!known.isFile()) throw refuse(ERRORS.sidecarReasons.notAFile);
  if (known.size > MAX_BYTES) throw refuse(ERRORS.sidecarReasons.tooLarge);
  const value = parseJson(await readFile(path, "utf8"));
  if (value === null || typeof value !== "object") throw refuse(ERRORS.sidecarReasons.notJson);
  const read = sidecar.safeParse(value, { error: describeInvalid });
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
