import { createHash } from "node:crypto";

/** A span that others can follow, as in W3C Trace Context. */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  /** Whether its spans are recorded. */
  isSampled: boolean;
}

/** Version, trace, span and flags. A later version may append fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const FORBIDDEN_VERSION = "ff";
const SAMPLED = 1;
/** Longer values are not worth reading. The first version has 55 characters. */
const MAX_LENGTH = 256;

/** Reads a `traceparent` header (https://www.w3.org/TR/trace-context/). Returns null if it is invalid. */
export function parseTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== "string" || header.length > MAX_LENGTH) return null;
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === FORBIDDEN_VERSION) return null;
  if (version === "00" && more !== undefined) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Returns the `traceparent` header of a span. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** Returns 32 hex digits: the request's id if it is a UUID. Other ids get an id that is derived from them. */
export function traceIdOf(requestId: string): string {
  const hex = requestId.replaceAll("-", "").toLowerCase();
  if (/^[0-9a-f]{32}$/.test(hex) && !isZero(hex)) return hex;
  return createHash("sha256").update(requestId).digest("hex").slice(0, 32);
}

/** Returns 16 hex digits of a span's id on the bus, which is a UUID. Null for other ids. */
export function spanIdOf(busId: unknown): string | null {
  if (typeof busId !== "string") return null;
  const hex = busId.replaceAll("-", "").toLowerCase().slice(0, 16);
  return /^[0-9a-f]{16}$/.test(hex) && !isZero(hex) ? hex : null;
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
