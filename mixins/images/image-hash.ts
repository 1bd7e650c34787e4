import { createHash } from "node:crypto";
import { IMAGE_MESSAGES } from "../texts.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Kind of the objects of a store. */
export interface ObjectKind {
  /** Ending of their paths. */
  ending: string;
  contentType: string;
}

export const IMAGES: ObjectKind = { ending: ".png", contentType: "image/png" };
export const ARCHIVE_FILES: ObjectKind = { ending: ".bin", contentType: "application/octet-stream" };

const PATH = /^([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})(\.aside)?(\.[a-z]+)$/;

/** Returns the path of an object below its store's root: `ab/cd/abcd….png`. @throws Error if `hash` is not a SHA-256 */
export function imagePath(hash: string, { ending }: ObjectKind = IMAGES): string {
  return pathWith(hash, ending);
}

/** Returns the path of an object that was set aside, next to its own path. @throws Error if `hash` is not a SHA-256 */
export function asidePath(hash: string, { ending }: ObjectKind = IMAGES): string {
  return pathWith(hash, `.aside${ending}`);
}

function pathWith(hash: string, ending: string): string {
  if (!HASH.test(hash)) throw new Error(IMAGE_MESSAGES.notAHash(hash));
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}${ending}`;
}

/** Returns the object at a path below the root, or null for a path that no store of this kind writes. */
export function imageAt(
  path: string,
  { ending }: ObjectKind = IMAGES,
): { hash: string; aside: boolean } | null {
  const [, , , hash, aside, found] = PATH.exec(path) ?? [];
  return hash === undefined || found !== ending ? null : { hash, aside: aside !== undefined };
}

/** Returns the same image. @throws Error if it is not the stored one: others who can write the store can replace it */
export function verifyImage(png: Buffer, hash: string): Buffer {
  if (createHash("sha256").update(png).digest("hex") === hash) return png;
  throw new Error(IMAGE_MESSAGES.changed(hash));
}
