import { createHash } from "node:crypto";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";

/** With the other parts, names stay far below the limit of file systems (255 bytes), and readable. */
const MAX_STEM = 80;
/** For routes whose readable name isn't unique. */
const HASH_LENGTH = 8;
/**
 * Routes that a file name holds unchanged. Capital letters are excluded, since some file systems ignore case.
 */
const PLAIN = /^\/(?!index$)[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

/** States whose name is lowercase words. Hyphens replace their spaces, so names with hyphens get a hash. */
const PLAIN_STATE = /^[a-z0-9]+( [a-z0-9]+)*$/;
const MAX_STATE = 40;

const PLAIN_ENVIRONMENT = /^[a-z0-9][a-z0-9-]*$/;

/**
 * Returns the file name of a baseline, such as `pricing--1440.png` or `pricing+menu-open@dark--1440.png`. It
 * depends only on the key. It is unique on every file system, and doesn't change when other routes are added or
 * removed.
 */
export function fileNameOf({ route, state, environment, viewport }: ScreenshotKey): string {
  // Neither sign occurs in the other parts.
  const ofState = state === null ? "" : `+${partOfState(state)}`;
  const ofEnvironment = environment === null ? "" : `@${partOfEnvironment(environment)}`;
  return `${partOfRoute(route)}${ofState}${ofEnvironment}--${viewport}.png`;
}

function partOfRoute(route: string): string {
  if (route === "/") return "index";
  if (PLAIN.test(route) && route.length <= MAX_STEM) return route.slice(1).replaceAll("/", "_");
  return withHash(route, readable(decoded(route)).slice(0, MAX_STEM), "page");
}

function partOfState(state: string): string {
  if (PLAIN_STATE.test(state) && state.length <= MAX_STATE) return state.replaceAll(" ", "-");
  return withHash(state, readable(state).slice(0, MAX_STATE), "state");
}

/** Configured environments have plain names. Those of screenshot files may have any. */
function partOfEnvironment(environment: string): string {
  if (PLAIN_ENVIRONMENT.test(environment)) return environment;
  return withHash(environment, readable(environment).slice(0, MAX_STATE), "environment");
}

function withHash(text: string, words: string, fallback: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
  return `${words.replace(/[-_.]+$/, "") || fallback}~${hash}`;
}

/** Returns the readable part of a file name. */
function readable(text: string): string {
  return text
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
