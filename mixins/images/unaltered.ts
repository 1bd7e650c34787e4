import { createHash } from "node:crypto";
import { IMAGE_MESSAGES } from "../texts.ts";

/** The same image. @throws Error when it is not what was stored: whoever may write the store may replace what is there */
export function unaltered(png: Buffer, hash: string): Buffer {
  if (createHash("sha256").update(png).digest("hex") === hash) return png;
  throw new Error(IMAGE_MESSAGES.changed(hash));
}
