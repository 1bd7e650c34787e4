import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Time to send the rest of a body. Its bytes are dropped. */
const REST_TIMEOUT_MS = 10_000;

/**
 * Sends a response, and ends it after the rest of the request's body has arrived or its time is over. A client whose
 * connection closes while it still sends gets a write error in place of the response.
 */
export async function endAfterBody(
  req: IncomingMessage,
  res: ServerResponse,
  body: string,
  timeoutMs = REST_TIMEOUT_MS,
): Promise<void> {
  if (req.complete || req.destroyed) {
    res.end(body);
    return;
  }
  res.write(body);
  const over = new AbortController();
  req.resume();
  await Promise.race([
    once(req, "end", { signal: over.signal }),
    once(req, "close", { signal: over.signal }),
    delay(timeoutMs, undefined, { signal: over.signal }),
  ]).catch(() => {});
  over.abort();
  res.end();
}
