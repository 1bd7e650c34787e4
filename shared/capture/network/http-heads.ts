import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { REQUEST_FAILURES } from "../texts.ts";

/** Headers of a single connection, which a proxy must not forward (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Returns the headers for the site: the client's headers, and the host of the URL instead of the one it claims. */
export function requestHeaders(url: URL, request: IncomingMessage): string[] {
  const headers = ["Host", url.host, ...endToEnd(request.rawHeaders, "host")];
  // Without it, Node would send the chunked body of a GET or DELETE unframed, as if it were the next request.
  return isChunked(request) ? [...headers, "Transfer-Encoding", "chunked"] : headers;
}

/** Returns the head of an upgrade request, as bytes to send. */
export function upgradeHead(url: URL, request: IncomingMessage): string {
  const headers = [...requestHeaders(url, request), "Connection", "Upgrade"];
  if (request.headers.upgrade !== undefined) headers.push("Upgrade", request.headers.upgrade);
  const lines = toPairs(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/**
 * Starts the client's response with the site's head.
 * @throws Error when HTTP does not allow the site's head
 */
function writeResponseHead(response: ServerResponse, fromSite: IncomingMessage): void {
  response.sendDate = false;
  response.writeHead(fromSite.statusCode ?? 502, fromSite.statusMessage, endToEnd(fromSite.rawHeaders));
}

/**
 * Streams the site's response to the browser. It cuts the response where the site's breaks off, so that the browser
 * sees the error.
 * @returns false when the response head can't be forwarded
 */
export function forwardResponse(fromSite: IncomingMessage, response: ServerResponse): boolean {
  try {
    writeResponseHead(response, fromSite);
  } catch {
    fromSite.destroy();
    sendError(response, 502, REQUEST_FAILURES.notHttp);
    return false;
  }
  pipeline(fromSite, response, () => {});
  return true;
}

/** Returns whether sending the request again changes nothing at the site. */
export function isRepeatable(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    !isChunked(request) &&
    Number(headers["content-length"] ?? 0) === 0
  );
}

/** Sends a text response instead of the site's; cuts the response when it has started already. */
export function sendError(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The connection closes, because the rest of the request's body is not read. The status text is explicit, because a
  // site's head that could not be written leaves its own behind.
  response.writeHead(status, STATUS_CODES[status], {
    "Content-Type": "text/plain; charset=utf-8",
    Connection: "close",
  });
  response.end(`${reason}\n`);
}

/** Sends such a response on the socket of a request for a tunnel. */
export function sendRawError(client: Socket, status: number, reason: string): void {
  const body = `${reason}\n`;
  client.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  client.destroySoon();
}

function isChunked(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined;
}

/** Returns the headers for the other end. It drops the hop-by-hop ones, those that `Connection` names, and `also`. */
function endToEnd(rawHeaders: readonly string[], also?: string): string[] {
  const pairs = toPairs(rawHeaders);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map(option => option.trim().toLowerCase()));
  const left = new Set([...HOP_BY_HOP, ...named, also]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

/** Returns Node's rawHeaders, which alternate names and values, as pairs. */
function toPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""]);
  return pairs;
}
