import { once } from "node:events";
import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Enough for nearly every answer; who is slower than this asks again, of another gateway. */
const FINISH_WITHIN_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** Accepts no more connections, lets the requests under way be answered, and hangs up. */
export async function finishRequests(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close").then(() => true);
  server.close();
  const until = Date.now() + FINISH_WITHIN_MS;
  // A connection becomes idle when its request is answered, and the server waits for more from it.
  while (!(await Promise.race([closed, delay(POLL_INTERVAL_MS, false)])) && Date.now() < until)
    server.closeIdleConnections();
  server.closeAllConnections();
}
