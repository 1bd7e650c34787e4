import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { visibleLine } from "../../shared/text/visible-text.ts";
import { readApiUrl, readLogin } from "../cloud/access.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { SERVICE_ERRORS } from "../texts/cloud.ts";
import { MCP_ERRORS, MCP_TEXTS } from "../texts/mcp.ts";
import { makeServer } from "./make-server.ts";
import { type McpContext, withService } from "./mcp-context.ts";

/** The host that the server binds to. Others on the network can't reach it. */
const HOST = "127.0.0.1";
const PATH = "/mcp";
/** Of a request. Tools take small arguments. */
const BODY_BYTES = 1024 * 1024;
/** A revoked key stops working after this. The service rejects its requests at once. */
const KEY_CHECK_MS = 60_000;

/**
 * Serves MCP over streamable HTTP on loopback until the signal is aborted. Each request has an API key of the service,
 * and can only do what the key may. The key of `vrs login` isn't used.
 * @param port 0 for any free one
 * @throws CommandError `no_access`, `port_taken`
 */
export async function serveOverHttp(terminal: Terminal, port: number, isReadOnly: boolean): Promise<void> {
  const url = await serviceUrl(terminal);
  const contextOf = (apiKey: string): McpContext => ({
    ...{ isLocal: false, isReadOnly, terminal },
    access: async () => ({ url, apiKey }),
  });
  const handler = createMcpHandler(({ authInfo }) => makeServer(contextOf(authInfo?.token ?? "")), {
    onerror: error => terminal.err(`${visibleLine(error.message)}\n`),
  });
  const known = new LRUCache<string, true>({ max: 100, ttl: KEY_CHECK_MS });
  const isKnown = async (key: string): Promise<boolean> => {
    if (known.has(key)) return true;
    try {
      await withService(contextOf(key), ({ client }) =>
        client.call("GET /v1/teams", { query: { limit: 1 } }),
      );
    } catch (error) {
      if (error instanceof CommandError && error.code === "unauthorized") return false;
      throw error;
    }
    known.set(key, true);
    return true;
  };
  const server = createServer((req, res) => {
    handle(req, res, handler, isKnown).catch((error: unknown) => {
      terminal.err(`${visibleLine(String(error))}\n`);
      if (res.headersSent) res.destroy();
      else refuse(res, 502, error instanceof CommandError ? error.message : MCP_ERRORS.internal);
    });
  });
  server.listen(port, HOST);
  await once(server, "listening").catch((error: unknown) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? new CommandError("port_taken", MCP_ERRORS.portTaken(port), error) : error;
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  terminal.err(`${MCP_TEXTS.listening(`http://${HOST}:${bound}${PATH}`)}\n`);
  try {
    if (!terminal.signal.aborted) await once(terminal.signal, "abort");
  } finally {
    await handler.close();
    server.closeAllConnections();
    server.close();
  }
}

/** The URL of the service. Unlike its key, the login's URL is enough. @throws CommandError `no_access` */
async function serviceUrl(terminal: Terminal): Promise<string> {
  const { SERVICE_API_URL } = terminal.env;
  if (SERVICE_API_URL) return readApiUrl(SERVICE_API_URL, "SERVICE_API_URL");
  const url = (await readLogin(terminal.env))?.url;
  if (url === undefined) throw new CommandError("no_access", SERVICE_ERRORS.noService);
  return url;
}

async function handle(
  req: IncomingMessage,
  res: ServerResponse,
  handler: McpHttpHandler,
  isKnown: (key: string) => Promise<boolean>,
): Promise<void> {
  // A page of another site must not reach this server by its browser, also not by a name that it resolves to loopback.
  const host = validateHostHeader(req.headers.host, localhostAllowedHostnames());
  const origin = validateOriginHeader(req.headers.origin, localhostAllowedOrigins());
  if (!host.ok) return refuse(res, 403, host.message);
  if (!origin.ok) return refuse(res, 403, origin.message);
  if (req.url?.split("?")[0] !== PATH) return refuse(res, 404, MCP_ERRORS.notFound);
  const key = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(req.headers.authorization ?? "")?.[1];
  if (key === undefined) return refuse(res, 401, MCP_ERRORS.noKey);
  if (!(await isKnown(key))) return refuse(res, 401, MCP_ERRORS.wrongKey);
  const closed = new AbortController();
  res.once("close", () => closed.abort());
  const body = await readBody(req);
  if (body === null) return refuse(res, 413, MCP_ERRORS.bodyTooLarge);
  const response = await handler.fetch(toRequest(req, body, closed.signal), {
    authInfo: { token: key, clientId: "vrs", scopes: [] },
  });
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(response.body, res).catch(() => res.destroy());
  else res.end();
}

/** Returns the body of a request; null if it is too large. */
async function readBody(req: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of req) {
    length += part.length;
    if (length > BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function toRequest(req: IncomingMessage, body: Buffer<ArrayBuffer>, signal: AbortSignal): Request {
  const headers = Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map(each => [name, each]),
  );
  const { method = "GET" } = req;
  return new Request(`http://${HOST}${req.url}`, {
    ...{ method, headers, signal },
    ...(body.length > 0 && { body }),
  });
}

function refuse(res: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });
  res
    .writeHead(status, {
      "Content-Type": "application/json",
      ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
      Connection: "close",
    })
    .end(body);
}
