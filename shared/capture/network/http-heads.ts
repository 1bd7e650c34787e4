import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** Headers that concern one connection only, so a proxy must not hand them on (RFC 9110, 7.6.1). */
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

/** What a site is asked with: the client's headers, and the host of the URL rather than the one it claims. */
export function requestHeaders(url: URL, request: IncomingMessage): string[] {
  const headers = ["Host", url.host, ...endToEnd(request.rawHeaders, "host")];
  // Without it Node would send the chunked body of a GET or DELETE unframed, as if it were the next request.
  return isChunked(request) ? [...headers, "Transfer-Encoding", "chunked"] : headers;
}

/** The head of a request that asks for an upgrade, as bytes to send. */
export function upgradeHead(url: URL, request: IncomingMessage): string {
  const headers = [...requestHeaders(url, request), "Connection", "Upgrade"];
  if (request.headers.upgrade !== undefined) headers.push("Upgrade", request.headers.upgrade);
  const lines = toPairs(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/**
 * Begins the client's response with the site's head.
 * @throws Error when the site's head is none that HTTP allows.
 */
export function writeResponseHead(response: ServerResponse, fromSite: IncomingMessage): void {
  response.sendDate = false;
  response.writeHead(fromSite.statusCode ?? 502, fromSite.statusMessage, endToEnd(fromSite.rawHeaders));
}

/** True when sending the request again changes nothing at the site. */
export function isRepeatable(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return (
    (method === "GET" || method === "HEAD") &&
    !isChunked(request) &&
    Number(headers["content-length"] ?? 0) === 0
  );
}

/** Answers in the site's place, in words; cuts the response when it was begun already. */
export function answer(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // Closed, for what is left of the request's body is not read. The status's words are given, for a site's head
  // that could not be written has left its own behind.
  response.writeHead(status, STATUS_CODES[status], {
    "Content-Type": "text/plain; charset=utf-8",
    Connection: "close",
  });
  response.end(`${reason}\n`);
}

/** As answer, on the socket of a request that asked for a tunnel. */
export function answerRaw(client: Socket, status: number, reason: string): void {
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

/** The headers that are meant for the other end: all but the hop-by-hop ones, those that `Connection` names, and `also`. */
function endToEnd(rawHeaders: readonly string[], also?: string): string[] {
  const pairs = toPairs(rawHeaders);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map(option => option.trim().toLowerCase()));
  const left = new Set([...HOP_BY_HOP, ...named, also]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

/** Node's rawHeaders, names and values in turn, as pairs. */
function toPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""]);
  return pairs;
}
