import { z } from "zod";
import { pageUrl, text } from "../fields.ts";
import { fileHash } from "./file-hash.ts";

/** Attachments: files of the tests that made screenshots, such as traces. */

/** Limits of attachments. */
export const ATTACHMENT_BOUNDS = {
  /** Of one file. Larger than almost every trace with screenshots. */
  fileBytes: 64 * 1024 * 1024,
  /** Uploaded files of a build. */
  files: 2_000,
} as const;

/**
 * Kinds of uploaded files, by their content. A `zip` is never unpacked. Text is UTF-8, such as a HAR file or the output
 * of a test.
 */
const ATTACHMENT_KINDS = ["zip", "text"] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

const attachmentName = text(100).describe("Such as trace, network.har or console");

/** An attachment in the metadata of a screenshot. */
export const attachment = z
  .strictObject({
    name: attachmentName,
    url: pageUrl.optional().describe("Link to the file, such as an artifact of the build"),
    hash: fileHash
      .optional()
      .describe("SHA-256 of the file, instead of `url`. The response says whether to upload it"),
  })
  .refine(({ url, hash }) => (url === undefined) !== (hash === undefined), "must have either url or hash");

/** An attachment in responses. */
export const attachmentView = z.object({
  name: z.string(),
  url: z.string().describe("Link to the file. That of an uploaded file is signed, and expires"),
  kind: z
    .enum([...ATTACHMENT_KINDS, "link"])
    .describe("`zip` or `text` for an uploaded file, `link` for a file elsewhere"),
  bytes: z.int().nullable().describe("Size of an uploaded file. Null for a link"),
});

/** Response of `PUT /v1/builds/:id/attachments/:hash`. */
export const uploadedAttachment = z.object({
  hash: fileHash,
  kind: z.enum(ATTACHMENT_KINDS).describe("What the file is, by its content"),
  bytes: z.int(),
});

export type AttachmentView = z.infer<typeof attachmentView>;
export type UploadedAttachment = z.infer<typeof uploadedAttachment>;
