import type { IncomingMessage, ServerResponse } from "node:http";
import type { Service } from "moleculer";
import { currentScope, inScope } from "../../../shared/tracing/work-scope.ts";

/** Requests that change nothing. There are too many to log each. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Logs a request when its response has ended, with its ids. Requests that change nothing are only logged for debugging.
 * @param name method and path of the route, such as `GET /v1/runs/:id`, so that URLs don't get into the log
 */
export function logRequest(
  logger: Service["logger"],
  name: string,
  { method = "" }: IncomingMessage,
  res: ServerResponse,
): void {
  const scope = currentScope() ?? {};
  const startedAt = performance.now();
  const log = READS.has(method) ? logger.debug : logger.info;
  res.once("close", () => {
    const durationMs = Math.round(performance.now() - startedAt);
    inScope(scope, () => log({ status: res.statusCode, durationMs }, name));
  });
}
