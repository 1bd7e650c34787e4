import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { PROXY_ERRORS, REQUEST_FAILURES } from "../texts.ts";
import { hostOf, portOf, refuseUrl } from "./address-guard.ts";
import { CheckedAgent, SITE_IDLE_TIMEOUT_MS } from "./checked-agent.ts";
import {
  type ConnectOptions,
  connectChecked,
  RefusedError,
  systemResolve,
  UnreachableError,
} from "./checked-connect.ts";
import { isReset, NO_HTTP, reasonOf, statusOf } from "./exchange-errors.ts";
import { HostOutcomes } from "./host-outcomes.ts";
import {
  answer,
  answerRaw,
  isRepeatable,
  requestHeaders,
  upgradeHead,
  writeResponseHead,
} from "./http-heads.ts";
import { NameLookups } from "./name-lookups.ts";
import { joinSockets, urlOfAuthority } from "./tunnel.ts";

/** The way out for one browser context: an HTTP proxy that reaches public sites and allowed hosts only. */
export interface EgressProxy {
  /** `http://127.0.0.1:<port>`: the proxy server for Chromium. */
  readonly url: string;
  /** Why requests to this URL's host and port were refused last, or null. */
  refusal(url: URL): string | null;
  /** Why this URL's host and port could not be reached last (no such name, no connection), or null. */
  failure(url: URL): string | null;
  /** Bytes received from sites since the start or the last resetBytes. */
  readonly bytes: number;
  /** True once `bytes` passed maxBytes: every connection was cut, and new ones are refused until resetBytes. */
  readonly exceeded: boolean;
  /** Starts counting anew, for a new page. */
  resetBytes(): void;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** No proxy: the browser goes its own way, of which nothing is known and in which nothing is refused. */
export const DIRECT_WAY: EgressProxy = {
  url: "",
  bytes: 0,
  exceeded: false,
  refusal: () => null,
  failure: () => null,
  resetBytes: () => {},
  close: async () => {},
};

export interface EgressProxyOptions extends ConnectOptions {
  /** Downloaded bytes of one page, at most. */
  maxBytes: number;
}

/** Far above what a browser opens through one proxy (some 30), far below what would harm the node. */
const MAX_CONNECTIONS = 256;

/** A browser's idle connections to us cost nothing, and closing one just as it is used again would. */
const KEEP_ALIVE_MS = 120_000;

/** Request heads up to this size: long data in query strings is legitimate, endless heads are not. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Names of a context that the operator is told of at most. */
const UNRESOLVED_TOLD = 20;

/**
 * Starts a proxy for one browser context on a free port of 127.0.0.1. Everything the context asks for goes
 * through the address guard here: documents, redirects, subresources, WebSockets.
 */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const proxy = new ContextProxy(options);
  await proxy.listen();
  return proxy;
}

class ContextProxy implements EgressProxy {
  url = "";
  bytes = 0;
  exceeded = false;
  readonly #options: EgressProxyOptions;
  readonly #names: NameLookups;
  readonly #outcomes = new HostOutcomes();
  readonly #unresolved = new Set<string>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS });
  readonly #agent: CheckedAgent;

  constructor(options: EgressProxyOptions) {
    this.#names = new NameLookups(options.resolve ?? systemResolve);
    const { onUnresolved = () => {} } = options;
    this.#options = {
      ...options,
      resolve: host => this.#names.addresses(host),
      onUnresolved: detail => this.#told(detail) && onUnresolved(detail),
    };
    this.#agent = new CheckedAgent(url => this.#open(url));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connection", client => this.#track(client));
    this.#server.on("request", (request, response) => this.#forward(request, response));
    this.#server.on("connect", (request, _client, head) => this.#connect(request, head));
    this.#server.on("upgrade", (request, _client, head) => this.#upgrade(request, head));
    this.#server.on("clientError", (_error, client) => client.destroy());
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
    this.url = `http://127.0.0.1:${address.port}`;
  }

  refusal(url: URL): string | null {
    return this.#outcomes.reason(url, "refused");
  }

  failure(url: URL): string | null {
    return this.#outcomes.reason(url, "unreachable");
  }

  resetBytes(): void {
    this.bytes = 0;
    this.exceeded = false;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#names.close();
    this.#agent.destroy();
    this.#cutAll();
    await closed;
  }

  /** A plain http: request, in absolute form. */
  #forward(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? "");
    if (!url) {
      answer(response, 400, PROXY_ERRORS.notAbsolute);
      return;
    }
    try {
      this.#judge(url);
      this.#exchange(url, request, response);
    } catch (error) {
      answer(response, statusOf(error), reasonOf(error));
    }
  }

  #exchange(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const toSite = sendRequest({
      agent: this.#agent,
      host: hostOf(url),
      port: portOf(url),
      method: request.method,
      path: url.pathname + url.search,
      headers: requestHeaders(url, request),
      timeout: SITE_IDLE_TIMEOUT_MS,
    });
    // The browser may go away first; a finished exchange leaves its connection to the pool instead.
    response.once("close", () => response.writableFinished || toSite.destroy());
    toSite.once("response", fromSite => {
      this.#outcomes.forget(url);
      if (!handBack(fromSite, response)) this.#outcomes.note(url, "unreachable", NO_HTTP);
    });
    toSite.once("timeout", () => toSite.destroy(new UnreachableError(REQUEST_FAILURES.silent(url.host))));
    toSite.on("error", error => {
      // The site may close a pooled connection just as it is used again; each retry uses one of them up.
      const stale =
        toSite.reusedSocket && isReset(error) && !response.headersSent && !request.socket.destroyed;
      if (stale && isRepeatable(request)) return this.#exchange(url, request, response);
      const isSites = !response.headersSent && !request.socket.destroyed && !this.exceeded;
      if (isSites && !(error instanceof RefusedError))
        this.#outcomes.note(url, "unreachable", reasonOf(error));
      answer(response, statusOf(error), reasonOf(error));
    });
    request.pipe(toSite);
  }

  /** A tunnel for https: and wss:, and for ws: as browsers ask for it. */
  async #connect(request: IncomingMessage, head: Buffer): Promise<void> {
    const client = request.socket;
    const url = urlOfAuthority(request.url ?? "");
    if (!url) {
      answerRaw(client, 400, PROXY_ERRORS.noPort);
      return;
    }
    await this.#tunnel(client, url, site => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      joinSockets(client, site, head);
    });
  }

  /** A WebSocket asked for without a tunnel. */
  async #upgrade(request: IncomingMessage, head: Buffer): Promise<void> {
    const client = request.socket;
    const url = URL.parse((request.url ?? "").replace(/^ws:/i, "http:"));
    if (!url) {
      answerRaw(client, 400, PROXY_ERRORS.notAbsolute);
      return;
    }
    await this.#tunnel(client, url, site => {
      site.write(upgradeHead(url, request), "latin1");
      joinSockets(client, site, head);
    });
  }

  async #tunnel(client: Socket, url: URL, join: (site: Socket) => void): Promise<void> {
    try {
      this.#judge(url);
      join(await this.#open(url));
    } catch (error) {
      answerRaw(client, statusOf(error), reasonOf(error));
    }
  }

  /** @throws RefusedError when what is written in the URL, or the page so far, speaks against the request. */
  #judge(url: URL): void {
    if (this.exceeded) throw new RefusedError(REQUEST_FAILURES.tooManyBytes(this.#options.maxBytes));
    const refused = refuseUrl(url, this.#options.policy);
    if (refused !== null) {
      this.#outcomes.note(url, "refused", refused);
      throw new RefusedError(refused);
    }
    if (url.protocol !== "http:") throw new RefusedError(REQUEST_FAILURES.needsTunnel(url.protocol));
  }

  /** Connects to the URL's host and port if the guard allows, and notes the outcome. */
  async #open(url: URL): Promise<Socket> {
    try {
      const site = await connectChecked(hostOf(url), portOf(url), this.#options);
      this.#track(site);
      // What was cut while this connection was being made must stay cut.
      if (this.exceeded || !this.#server.listening) {
        site.destroy();
        throw new Error(REQUEST_FAILURES.canceled);
      }
      site.on("data", chunk => this.#count(chunk.length));
      this.#outcomes.forget(url);
      return site;
    } catch (error) {
      if (error instanceof RefusedError) this.#outcomes.note(url, "refused", error.message);
      if (error instanceof UnreachableError) this.#outcomes.note(url, "unreachable", error.message);
      throw error;
    }
  }

  /** Whether the operator is told of this: once, and of no more than a page may fill the log with. */
  #told(detail: string): boolean {
    if (this.#unresolved.has(detail) || this.#unresolved.size >= UNRESOLVED_TOLD) return false;
    this.#unresolved.add(detail);
    return true;
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    if (this.exceeded || this.bytes <= this.#options.maxBytes) return;
    this.exceeded = true;
    this.#cutAll();
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {}); // a reset connection is a page's trouble, not the process's
  }

  #cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * Streams the site's response to the browser; cuts it where the site's breaks off, so that this shows.
 * @returns false when its head is none that can be passed on
 */
function handBack(fromSite: IncomingMessage, response: ServerResponse): boolean {
  try {
    writeResponseHead(response, fromSite);
  } catch {
    fromSite.destroy();
    answer(response, 502, NO_HTTP);
    return false;
  }
  pipeline(fromSite, response, () => {});
  return true;
}
