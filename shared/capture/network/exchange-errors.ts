import { REQUEST_FAILURES } from "../texts.ts";
import { RefusedError } from "./checked-connect.ts";

/** Of a site whose answer cannot be passed on. */
export const NO_HTTP = REQUEST_FAILURES.notHttp;

/** Whether a connection was closed from its other end. */
export function isReset(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ECONNRESET" || code === "EPIPE";
}

/** Why a request through the proxy came to nothing, for the page's owner. */
export function reasonOf(error: unknown): string {
  if (isReset(error)) return REQUEST_FAILURES.cutShort;
  if (codeOf(error).startsWith("HPE_")) return NO_HTTP;
  return error instanceof Error ? error.message : String(error);
}

/** The proxy's own answer to such a request. */
export function statusOf(error: unknown): 403 | 502 {
  return error instanceof RefusedError ? 403 : 502;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
