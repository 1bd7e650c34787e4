import { once } from "node:events";
import { createServer } from "node:net";
import { DEMO_TEXTS } from "../texts/demo.ts";

/** The preferred port if nothing listens there, else any free one. */
export async function freePort(preferred: number): Promise<number> {
  return (await bind(preferred)) ?? (await bind(0)) ?? Promise.reject(new Error(DEMO_TEXTS.noPort));
}

/** Binds to every address for a moment, as the service does, and tells the port; null when it is taken. */
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
