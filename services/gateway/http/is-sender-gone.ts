import type { IncomingMessage } from "node:http";

/** Codes of reading a body whose sender disconnected, or was disconnected because it is too slow. */
const CODES: ReadonlySet<unknown> = new Set(["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Returns whether a request failed only because its sender didn't send the whole body. */
export function isSenderGone(req: Pick<IncomingMessage, "complete" | "destroyed">, error: unknown): boolean {
  return req.destroyed && !req.complete && error instanceof Error && "code" in error && CODES.has(error.code);
}
