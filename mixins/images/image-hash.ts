import { createHash } from "node:crypto";
import { IMAGE_MESSAGES } from "../texts.ts";

const HASH = /^[0-9a-f]{64}$/;
const PATH = /^([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})(\.aside)?\.png$/;

/** Returns the path of an image below its store's root: `ab/cd/abcd….png`. @throws Error if `hash` is not a SHA-256 */
export function imagePath(hash: string): string {
  return pathWith(hash, ".png");
}

/** Returns the path of an image that was set aside, next to its own path. @throws Error if `hash` is not a SHA-256 */
export function asidePath(hash: string): string {
  return pathWith(hash, ".aside.png");
}

function pathWith(hash: string, ending: string): string {
  if (!HASH.test(hash)) throw new Error(IMAGE_MESSAGES.notAHash(hash));
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}${ending}`;
}

/** Returns the image at a path below the root, or null for a path that no store writes. */
export function imageAt(path: string): { hash: string; aside: boolean } | null {
  const [, , , hash, aside] = PATH.exec(path) ?? [];
  return hash === undefined ? null : { hash, aside: aside !== undefined };
}

/** Returns the same image. @throws Error if it is not the stored one: others who can write the store can replace it */
export function verifyImage(png: Buffer, hash: string): Buffer {
  if (createHash("sha256").update(png).digest("hex") === hash) return png;
  throw new Error(IMAGE_MESSAGES.changed(hash));
}
