/** Limits of kept bodies. */
export const BODY_BOUNDS = {
  /** Bytes of one body. */
  bytes: 512 * 1024,
  /** Bytes of all bodies of one screenshot. */
  screenshotBytes: 4 * 1024 * 1024,
} as const;

/** Types whose bodies are kept, the most likely causes first. */
export const KEPT_TYPES = ["stylesheet", "script", "document", "font", "fetch", "xhr", "image"] as const;
/** Types that are the same for all visitors, as a rule. Others may be made for the visitor that a cookie names. */
const STATIC = new Set(["stylesheet", "script", "font", "image"]);

/** What decides whether a body is kept. Header names are in lower case. */
export interface KeepFacts {
  url: string;
  page: string;
  method: string;
  type: string;
  status: number;
  requestHeaders: Readonly<Record<string, string>>;
  responseHeaders: Readonly<Record<string, string>>;
}

/**
 * Returns whether the body of a response may be kept, to prove a cause with it. Responses of other origins, and those
 * that belong to one visitor, are not.
 */
export function mayKeepBody({
  url,
  page,
  method,
  type,
  status,
  requestHeaders,
  responseHeaders,
}: KeepFacts): boolean {
  if (method !== "GET" || status !== 200 || !KEPT_TYPES.some(kept => kept === type)) return false;
  const origin = URL.parse(url)?.origin;
  if (origin === undefined || origin !== URL.parse(page)?.origin) return false;
  if (requestHeaders.authorization !== undefined || responseHeaders["set-cookie"] !== undefined) return false;
  return STATIC.has(type) || requestHeaders.cookie === undefined;
}
