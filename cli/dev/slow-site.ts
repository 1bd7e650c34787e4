import { once } from "node:events";
import { createServer } from "node:http";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";

/** A site whose home page never finishes loading. Its runs stay in progress until the page times out. */
export interface SlowSite {
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Starts the site on a free loopback port. */
export async function startSlowSite(): Promise<SlowSite> {
  const server = createServer(() => {
    // It never responds.
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(TEXTS.noPort);
  return {
    url: `http://localhost:${address.port}`,
    port: address.port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
