import { type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Middleware, Service } from "moleculer";
import { parseLocation } from "../../dashboard/app-location.ts";
import { SOURCES_PATH } from "./vite-server.ts";

/**
 * Creates middleware that serves the dashboard from Vite, with the origin and cookies of the built one. The
 * gateway's own handler gets all other requests.
 * @param viteUrl such as `http://127.0.0.1:5173`
 */
export function dashboardFrom(viteUrl: string): Middleware {
  return {
    serviceCreated(service: Service & { server?: Server }) {
      const { server } = service;
      if (service.name !== "gateway" || !server) return;
      const own = server.listeners("request");
      server.removeAllListeners("request");
      server.on("request", (req: IncomingMessage, res: ServerResponse) => {
        const path = viteAddress(req);
        if (path !== null) forward(viteUrl + path, req, res);
        else for (const listener of own) listener.call(server, req, res);
      });
      forwardUpgrades(server, viteUrl);
    },
  };
}

/** Forwards Vite's upgrades. The gateway accepts only its own, and would answer the others. */
function forwardUpgrades(server: Server, viteUrl: string): void {
  const isVites = ({ url = "/" }: IncomingMessage) => url.startsWith(SOURCES_PATH);
  const accepts: unknown = Reflect.get(server, "shouldUpgradeCallback");
  const isOwn = (req: IncomingMessage) => typeof accepts === "function" && accepts(req) === true;
  Object.assign(server, { shouldUpgradeCallback: (req: IncomingMessage) => isVites(req) || isOwn(req) });
  const own = server.listeners("upgrade");
  server.removeAllListeners("upgrade");
  server.on("upgrade", (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isVites(req)) forwardSocket(viteUrl, req, socket, head);
    else for (const listener of own) listener.call(server, req, socket, head);
  });
}

/** Returns Vite's path for a request; null for requests to the gateway. */
function viteAddress({ url = "/", method, headers }: IncomingMessage): string | null {
  if (url.startsWith(SOURCES_PATH)) return url;
  if (method !== "GET" || !headers.accept?.includes("text/html")) return null;
  const { pathname, search } = new URL(url, "http://gateway");
  return parseLocation(pathname.slice(1), search).page === "unknown" ? null : `${SOURCES_PATH}index.html`;
}

function forward(url: string, req: IncomingMessage, res: ServerResponse): void {
  const { method, headers } = req;
  const forwarded = request(url, { method, headers }, response => {
    res.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(res);
  });
  forwarded.on("error", () => res.destroy());
  req.pipe(forwarded);
}

/** Forwards the connection on which Vite reports changes. */
function forwardSocket(
  url: string,
  { url: path, headers }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const forwarded = request(url + path, { headers });
  forwarded.on("upgrade", (response, vite, first) => {
    const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
    socket.write(first);
    vite.write(head);
    vite.pipe(socket).pipe(vite);
    const end = () => {
      vite.destroy();
      socket.destroy();
    };
    for (const side of [vite, socket]) side.on("error", end).on("close", end);
  });
  forwarded.on("error", () => socket.destroy());
  forwarded.end();
}
