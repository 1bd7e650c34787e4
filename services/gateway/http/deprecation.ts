import type { Deprecation } from "../routes/route.ts";

/** Days between a deprecation and the removal, at least. The compatibility policy promises them. */
export const MIN_NOTICE_DAYS = 180;

/**
 * Returns the headers of a deprecated route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the policy.
 * @param docs URL of the docs
 */
export function deprecationHeaders(deprecation: Deprecation, docs: string): Record<string, string> {
  const { since, sunset } = deprecation;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${docs}/reference/compatibility>; rel="deprecation"`,
  };
}
