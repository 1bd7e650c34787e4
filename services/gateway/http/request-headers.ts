import type { IncomingMessage } from "node:http";
import { invalidField } from "../../../shared/errors.ts";
import { REQUEST_ERRORS } from "../texts/errors.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

/** Returns the idempotency key of a request. @throws ServiceError for an invalid key */
export function idempotencyKeyOf(req: IncomingMessage): string | undefined {
  const key = req.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidField("Idempotency-Key", REQUEST_ERRORS.idempotencyKey);
}

/**
 * Returns whether a request prefers lenient handling (RFC 7240, section 4.4): to continue without unusable parts.
 * Other preferences are ignored, as the RFC says.
 */
export function prefersLenient(header: string | string[] | undefined): boolean {
  const preferences = [header ?? []].flat().join(",").split(",");
  const handling = preferences.map(preference => preference.split(";")[0]?.trim().toLowerCase() ?? "");
  // The first of several equal preferences counts.
  const first = handling.find(preference => /^handling\s*=/.test(preference));
  return first !== undefined && /^handling\s*=\s*"?lenient"?$/.test(first);
}
