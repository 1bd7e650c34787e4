import { createHash } from "node:crypto";
import type { Shot } from "../check/check-result.ts";

/** With the width and the ending far below what file systems take (255 bytes), and what one reads at a glance. */
const MAX_STEM = 80;
/** Of a route that its name alone does not tell from others. */
const HASH_LENGTH = 8;
/** Routes that are spelt out in a name, and back: no capital letters, which some file systems do not tell from small ones. */
const PLAIN = /^\/(?!index$)[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

/**
 * Name of a baseline's file, as `pricing--1440.png`. It depends on nothing but the route and the width, differs for
 * different ones on every file system, and never changes when other routes come or go.
 */
export function fileNameOf({ route, viewport }: Shot): string {
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

/** What of a route can be read in a file's name. */
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
