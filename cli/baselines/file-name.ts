import { createHash } from "node:crypto";
import type { ScreenshotKey } from "../check/check-result.ts";

/** With width and extension, names stay far below the limit of file systems (255 bytes), and readable. */
const MAX_STEM = 80;
/** For routes whose readable name isn't unique. */
const HASH_LENGTH = 8;
/**
 * Routes that a file name holds unchanged. Capital letters are excluded, since some file systems ignore case.
 */
const PLAIN = /^\/(?!index$)[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

/**
 * Returns the file name of a baseline, such as `pricing--1440.png`. It depends only on the route and the
 * width. It is unique on every file system, and doesn't change when other routes are added or removed.
 */
export function fileNameOf({ route, viewport }: ScreenshotKey): string {
  return `${stemOf(route)}--${viewport}.png`;
}

function stemOf(route: string): string {
  if (route === "/") return "index";
  if (PLAIN.test(route) && route.length <= MAX_STEM) return route.slice(1).replaceAll("/", "_");
  const hash = createHash("sha256").update(route).digest("hex").slice(0, HASH_LENGTH);
  const words = readable(route)
    .slice(0, MAX_STEM)
    .replace(/[-_.]+$/, "");
  return `${words || "page"}~${hash}`;
}

/** Returns the readable part of a file name for a route. */
function readable(route: string): string {
  return decoded(route)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/\/+/g, "_")
    .replace(/[^a-z0-9_.]+/g, "-")
    .replace(/^[-_.]+/, "");
}

function decoded(route: string): string {
  try {
    return decodeURIComponent(route);
  } catch {
    return route;
  }
}
