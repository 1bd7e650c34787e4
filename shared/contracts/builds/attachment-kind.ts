import { isUtf8 } from "node:buffer";
import type { AttachmentKind } from "./attachments.ts";

/** Signature of the first entry of a zip file (APPNOTE.TXT, section 4.3.7). */
const ZIP = Buffer.from("PK\x03\x04", "latin1");

/** Returns what a file is by its content. Null if it is neither a zip file nor text. */
export function attachmentKindOf(bytes: Buffer): AttachmentKind | null {
  if (bytes.subarray(0, ZIP.length).equals(ZIP)) return "zip";
  return bytes.length > 0 && isUtf8(bytes) && !bytes.includes(0) ? "text" : null;
}
