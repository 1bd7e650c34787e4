import type { IncomingMessage } from "node:http";
import type { Route } from "../routes/route.ts";

/** Other bodies have at most a few MiB. A slower sender would hold a connection for nothing. */
const BODY_TIMEOUT_MS = 60_000;

/**
 * Closes the connection of a sender that is too slow, unless the route has long bodies, such as archives and images.
 * @returns a function that stops waiting, for the end of the request
 */
export function endLateBody(
  req: Pick<IncomingMessage, "complete" | "destroy">,
  { hasLongBody }: Pick<Route, "hasLongBody">,
  timeoutMs = BODY_TIMEOUT_MS,
): () => void {
  if (hasLongBody) return () => {};
  const timer = setTimeout(() => req.complete || req.destroy(), timeoutMs).unref();
  return () => clearTimeout(timer);
}
