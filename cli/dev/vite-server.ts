import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { createServer } from "vite";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";

/** Below it are the dashboard's sources; the gateway sends requests for it, and for the dashboard's pages, to Vite. */
export const SOURCES_PATH = "/@dev/";

/** Serves the dashboard from its sources, with hot reload, on a loopback port that only the gateway asks. */
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
    // The first page to be opened must not wait for these, nor be reloaded when Vite finds them.
    optimizeDeps: { entries: ["main.tsx"] },
    // A server of its own would have Vite end this process at SIGTERM before the service is stopped.
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
