import { once } from "node:events";
import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Enough for nearly every response. Slower clients retry at another gateway. */
const FINISH_TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** Stops accepting connections, waits for running requests, and closes all connections. */
export async function finishRequests(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close").then(() => true);
  server.close();
  const until = Date.now() + FINISH_TIMEOUT_MS;
  // A connection becomes idle once its response is sent.
  while (!(await Promise.race([closed, delay(POLL_INTERVAL_MS, false)])) && Date.now() < until)
    server.closeIdleConnections();
  server.closeAllConnections();
}
