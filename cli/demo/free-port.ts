import { once } from "node:events";
import { createServer } from "node:net";
import { DEMO_TEXTS } from "../texts/demo.ts";

/** Returns the preferred port if it is free, otherwise any free one. */
export async function freePort(preferred: number): Promise<number> {
  return (await bind(preferred)) ?? (await bind(0)) ?? Promise.reject(new Error(DEMO_TEXTS.noPort));
}

/** Binds to all addresses for a moment, as the service does. Returns the port; null if it is in use. */
async function bind(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : null;
  } catch {
    return null;
  } finally {
    if (server.listening) await new Promise(resolve => server.close(resolve));
  }
}
