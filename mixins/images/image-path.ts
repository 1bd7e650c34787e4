import { IMAGE_MESSAGES } from "../texts.ts";

const HASH = /^[0-9a-f]{64}$/;
const PATH = /^([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})(\.aside)?\.png$/;

/** Where an image is below its store's root: `ab/cd/abcd….png`. @throws Error when `hash` is no SHA-256 */
export function imagePath(hash: string): string {
  return pathWith(hash, ".png");
}

/** Where an image is that was set aside: beside its place. @throws Error when `hash` is no SHA-256 */
export function asidePath(hash: string): string {
  return pathWith(hash, ".aside.png");
}

function pathWith(hash: string, ending: string): string {
  if (!HASH.test(hash)) throw new Error(IMAGE_MESSAGES.notAHash(hash));
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}${ending}`;
}

/** The image at a path below the root, or null for what no store put there. */
export function imageAt(path: string): { hash: string; aside: boolean } | null {
  const [, , , hash, aside] = PATH.exec(path) ?? [];
  return hash === undefined ? null : { hash, aside: aside !== undefined };
}
