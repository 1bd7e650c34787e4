import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { EgressProxy } from "../../../shared/capture/network/egress.ts";
import { startEgressProxy } from "../../../shared/capture/network/egress-proxy.ts";

/** A public address, as far as the guard knows. Connections to it end at the test's site. */
export const PUBLIC_IP = "93.184.216.34";

/** An HTTP server of this test on a loopback port. */
export interface Site {
  server: Server;
  port: number;
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function startSite(handler: RequestListener): Promise<Site> {
  const server = createServer(handler);
  let connections = 0;
  server.on("connection", socket => {
    connections += 1;
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    port: portOf(server),
    connections: () => connections,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface TestContextOptions {
  allow?: string[];
  deny?: string[];
  /** This machine's addresses; none by default. */
  own?: () => ReadonlySet<string>;
  maxBytes?: number;
  /** The addresses of each name, by lookup. The last ones stay. Other names do not resolve. */
  names?: Record<string, string[][]>;
}

/** A proxy in a simulated internet: names resolve as given, and public addresses lead to one site. */
export interface TestContext {
  proxy: EgressProxy;
  /** Every address that was connected to. */
  dialed: string[];
  /** The log messages for the operator about names that may not be reached. */
  unresolved: string[];
}

/** @param site where connections to PUBLIC_IP end. All other connections are real. */
export async function startTestContext(
  site: Site,
  { allow = [], deny = [], own = () => new Set(), maxBytes = 1e9, names = {} }: TestContextOptions = {},
): Promise<TestContext> {
  const dialed: string[] = [];
  const unresolved: string[] = [];
  const lookups = new Map<string, number>();
  const proxy = await startEgressProxy({
    policy: addressPolicy(allow, deny, own),
    maxBytes,
    onUnresolved: detail => unresolved.push(detail),
    async resolve(host) {
      const responses = names[host] ?? [];
      const count = lookups.get(host) ?? 0;
      lookups.set(host, count + 1);
      return responses[Math.min(count, responses.length - 1)] ?? [];
    },
    connect(address, port) {
      dialed.push(address);
      return connect(
        address === PUBLIC_IP ? { host: "127.0.0.1", port: site.port } : { host: address, port },
      );
    },
  });
  return { proxy, dialed, unresolved };
}

/** Responds with the request: its line and body, and its raw headers as JSON in X-Seen. */
export const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.setHeader("X-Seen", JSON.stringify(request.rawHeaders));
  response.end(`${request.method} ${request.url} ${body}`);
};

/** Starts one site with this response, behind PUBLIC_IP and shop.example. */
export async function startShop(
  handler: RequestListener,
  options: TestContextOptions = {},
): Promise<{ site: Site; context: TestContext }> {
  const site = await startSite(handler);
  const context = await startTestContext(site, {
    ...options,
    names: { "shop.example": [[PUBLIC_IP]], ...options.names },
  });
  return { site, context };
}

export interface Reply {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** Requests a URL in absolute form from the proxy, on a new connection. */
export async function getThrough(
  proxy: EgressProxy,
  url: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(proxy.url);
  const sent = request({ host: hostname, port, method, path: url, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Sends raw bytes to the proxy. The socket stays open. */
export async function sendRaw(proxy: EgressProxy, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(proxy.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  return socket;
}

/** Requests a tunnel. Returns the code of the status line, and closes the socket. */
export async function connectThrough(proxy: EgressProxy, authority: string): Promise<number> {
  const socket = await sendRaw(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  try {
    const [head] = await once(socket, "data");
    return Number(String(head).split(" ")[1]);
  } finally {
    socket.destroy();
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port.");
  return address.port;
}
