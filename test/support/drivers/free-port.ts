import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: one of those would take the port of a server that restarts. */
const FIRST = 10_000;
const LAST = 32_000;

/**
 * A port that nobody listens on, and that no other process of tests is given while this one lives: its server may start
 * late, and start again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/** Takes the UDP port of this number for as long as this process lives. No test uses UDP, and the system gives it to one. */
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
