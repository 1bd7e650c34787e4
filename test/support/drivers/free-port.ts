import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports of outgoing connections, which could take the port of a server that restarts. Above the last port
 * that `fetch` and browsers refuse (10080).
 */
const FIRST = 10_100;
const LAST = 32_000;

/**
 * Returns a free port. No other test process gets it while this one lives, so its server may start late or
 * restart.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * Reserves a port by binding its UDP port until this process ends. No test uses UDP, and only one process can
 * bind it.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  return once(socket.bind({ port, address: "127.0.0.1", exclusive: true }), "listening").then(
    () => true,
    () => {
      socket.close();
      return false;
    },
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await once(server.listen(port), "listening").then(
    () => true,
    () => false,
  );
  if (!free) return false;
  server.close();
  await once(server, "close");
  return true;
}
