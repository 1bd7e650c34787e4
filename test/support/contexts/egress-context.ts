import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { type EgressProxy, startEgressProxy } from "../../../shared/capture/network/egress-proxy.ts";

/** A public address, as far as the guard knows; the rig's connections to it end at its own site. */
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
  /** This machine's addresses; none unless told. */
  own?: () => ReadonlySet<string>;
  maxBytes?: number;
  /** The answers of a name, one after the other; the last one stays. Names without answers do not resolve. */
  names?: Record<string, string[][]>;
}

/** A proxy in a made-up internet: names resolve as told, and public addresses lead to one site. */
export interface TestContext {
  proxy: EgressProxy;
  /** Every address that was connected to. */
  dialled: string[];
  /** What the operator was told of names that may not be reached. */
  unresolved: string[];
}

/** @param site where connections to PUBLIC_IP end; everything else is connected to as it is. */
export async function startTestContext(
  site: Site,
  { allow = [], deny = [], own = () => new Set(), maxBytes = 1e9, names = {} }: TestContextOptions = {},
): Promise<TestContext> {
  const dialled: string[] = [];
  const unresolved: string[] = [];
  const asked = new Map<string, number>();
  const proxy = await startEgressProxy({
    policy: addressPolicy(allow, deny, own),
    maxBytes,
    onUnresolved: detail => unresolved.push(detail),
    async resolve(host) {
      const answers = names[host] ?? [];
      const turn = asked.get(host) ?? 0;
      asked.set(host, turn + 1);
      return answers[Math.min(turn, answers.length - 1)] ?? [];
    },
    connect(address, port) {
      dialled.push(address);
      return connect(
        address === PUBLIC_IP ? { host: "127.0.0.1", port: site.port } : { host: address, port },
      );
    },
  });
  return { proxy, dialled, unresolved };
}

/** Answers with the request: its line and body, and its raw headers as JSON in X-Seen. */
export const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.setHeader("X-Seen", JSON.stringify(request.rawHeaders));
  response.end(`${request.method} ${request.url} ${body}`);
};

/** One site that answers as told, behind PUBLIC_IP and shop.example. */
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

/** Asks the proxy for a URL in absolute form, on a connection of its own. */
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

/** Sends raw bytes to the proxy; the socket is left open. */
export async function sendRaw(proxy: EgressProxy, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(proxy.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  return socket;
}

/** Asks for a tunnel; the status line's code. The socket is closed. */
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
