import { REQUEST_FAILURES } from "../texts.ts";
import { RefusedError } from "./checked-connect.ts";

/** For a site whose response can't be forwarded. */
export const INVALID_RESPONSE = REQUEST_FAILURES.notHttp;

/** Returns whether the other end closed the connection. */
export function isReset(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ECONNRESET" || code === "EPIPE";
}

/** Returns why a request through the proxy failed, for the page's owner. */
export function reasonOf(error: unknown): string {
  if (isReset(error)) return REQUEST_FAILURES.cutShort;
  if (codeOf(error).startsWith("HPE_")) return INVALID_RESPONSE;
  return error instanceof Error ? error.message : String(error);
}

/** Returns the status of the proxy's own response to such a request. */
export function statusOf(error: unknown): 403 | 502 {
  return error instanceof RefusedError ? 403 : 502;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
