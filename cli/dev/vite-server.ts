import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { createServer } from "vite";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";

/**
 * Prefix of the dashboard's sources. The gateway sends requests below it, and for the dashboard's pages, to
 * Vite.
 */
export const SOURCES_PATH = "/@dev/";

/** Serves the dashboard from its sources, with hot reload, on a loopback port for the gateway. */
export async function serveSources(root: string): Promise<{ url: string; close(): Promise<void> }> {
  const http = createHttpServer();
  const vite = await createServer({
    configFile: false,
    root: join(root, "dashboard"),
    base: SOURCES_PATH,
    cacheDir: join(root, "node_modules", ".cache", "vrs-dashboard"),
    publicDir: false,
    clearScreen: false,
    logLevel: "warn",
    // Otherwise the first page would wait for these, and be reloaded when Vite finds them.
    optimizeDeps: { entries: ["main.tsx"] },
    // With its own server, Vite would end this process at SIGTERM before the service is stopped.
    server: { middlewareMode: { server: http }, hmr: { server: http }, fs: { allow: [root] } },
  });
  http.on("request", vite.middlewares);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error(TEXTS.noPort);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      await vite.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
