import { once } from "node:events";
import { connect, createServer } from "node:net";

/** A proxy in front of a service that counts what clients send. */
export interface CountingProxy {
  url: string;
  /** Bytes that clients have sent, with all headers. */
  sentBytes(): number;
  close(): void;
}

/** Starts a proxy on loopback. @param target the service's URL */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { port } = new URL(target);
  let bytes = 0;
  const server = createServer(client => {
    const upstream = connect(Number(port), "localhost");
    client.on("data", chunk => (bytes += chunk.length));
    client.pipe(upstream).pipe(client);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    sentBytes: () => bytes,
    close: () => void server.close(),
  };
}
