import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import type { ArchiveSite } from "../archive/archive-site.ts";
import { PROXY_ERRORS, REQUEST_FAILURES } from "../texts.ts";
import { joinSockets, urlOfAuthority } from "../tunnel/tunnel.ts";
import type { SiteSocket } from "../tunnel/tunnel-socket.ts";
import { TunnelUse } from "../tunnel/tunnel-use.ts";
import { hostOf, portOf, refuseUrl } from "./address-guard.ts";
import { CheckedAgent, SITE_IDLE_TIMEOUT_MS } from "./checked-agent.ts";
import { connectChecked, RefusedError, systemResolve, UnreachableError } from "./checked-connect.ts";
import type { EgressProxy, EgressProxyOptions } from "./egress.ts";
import { INVALID_RESPONSE, isReset, reasonOf, statusOf } from "./exchange-errors.ts";
import { HostOutcomes } from "./host-outcomes.ts";
import {
  forwardResponse,
  isRepeatable,
  requestHeaders,
  sendError,
  sendRawError,
  upgradeHead,
} from "./http-heads.ts";
import { NameLookups } from "./name-lookups.ts";

/** Far above what a browser opens through one proxy, about 30, and far below what would harm the node. */
const MAX_CONNECTIONS = 256;

/** Idle connections from a browser cost little. Closing one could race with its next use. */
const KEEP_ALIVE_MS = 120_000;

/** Maximum size of request heads. Long data in query strings is legitimate; endless heads are not. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Maximum number of names per context in the operator's log. */
const MAX_LOGGED_NAMES = 20;

/**
 * Starts a proxy for one browser context on a free port of 127.0.0.1. Every request of the context passes the address
 * guard here: documents, redirects, subresources, and WebSockets.
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
  readonly tunnel: TunnelUse;
  readonly archive: ArchiveSite | null;
  readonly #options: EgressProxyOptions;
  readonly #names: NameLookups;
  readonly #outcomes = new HostOutcomes();
  readonly #unresolved = new Set<string>();
  readonly #sockets = new Set<SiteSocket>();
  readonly #server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS });
  readonly #agent: CheckedAgent;

  constructor(options: EgressProxyOptions) {
    this.#names = new NameLookups(options.resolve ?? systemResolve);
    const { onUnresolved = () => {} } = options;
    this.tunnel = new TunnelUse(options.tunnel ?? null);
    this.archive = options.archive ?? null;
    this.#options = {
      ...options,
      resolve: host => this.#names.addresses(host),
      onUnresolved: detail => this.#shouldLog(detail) && onUnresolved(detail),
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
    this.tunnel.reset();
    this.archive?.reset();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#names.close();
    this.#agent.destroy();
    this.#cutAll();
    await closed;
  }

  /** Forwards a plain http: request in absolute form. */
  #forward(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? "");
    if (!url) {
      sendError(response, 400, PROXY_ERRORS.notAbsolute);
      return;
    }
    try {
      this.#checkUrl(url);
      if (this.archive?.serves(url)) this.#serve(this.archive, url, request, response);
      else this.#exchange(url, request, response);
    } catch (error) {
      sendError(response, statusOf(error), reasonOf(error));
    }
  }

  /** Responds with a file of the archive. Nothing leaves the node. */
  #serve(archive: ArchiveSite, url: URL, request: IncomingMessage, response: ServerResponse): void {
    this.#outcomes.clear(url);
    archive
      .respond(url, request, response, bytes => this.#count(bytes))
      .catch(error => sendError(response, statusOf(error), reasonOf(error)));
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
    // The browser may disconnect first. A finished exchange returns its connection to the pool instead.
    response.once("close", () => response.writableFinished || toSite.destroy());
    toSite.once("response", fromSite => {
      this.#outcomes.clear(url);
      if (!forwardResponse(fromSite, response)) this.#outcomes.record(url, "unreachable", INVALID_RESPONSE);
    });
    toSite.once("timeout", () => toSite.destroy(new UnreachableError(REQUEST_FAILURES.silent(url.host))));
    toSite.on("error", error => {
      // The site may close a pooled connection just when it is reused. Each retry uses up one of them.
      const stale =
        toSite.reusedSocket && isReset(error) && !response.headersSent && !request.socket.destroyed;
      if (stale && isRepeatable(request)) return this.#exchange(url, request, response);
      const isSites = !response.headersSent && !request.socket.destroyed && !this.exceeded;
      if (isSites && !(error instanceof RefusedError))
        this.#outcomes.record(url, "unreachable", reasonOf(error));
      sendError(response, statusOf(error), reasonOf(error));
    });
    request.pipe(toSite);
  }

  /** Opens a tunnel for https: and wss:, and for ws: as browsers request it. */
  async #connect(request: IncomingMessage, head: Buffer): Promise<void> {
    const client = request.socket;
    const url = urlOfAuthority(request.url ?? "");
    if (!url) {
      sendRawError(client, 400, PROXY_ERRORS.noPort);
      return;
    }
    await this.#tunnel(client, url, site => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      joinSockets(client, site, head);
    });
  }

  /** Opens a WebSocket that was requested without a tunnel. */
  async #upgrade(request: IncomingMessage, head: Buffer): Promise<void> {
    const client = request.socket;
    const url = URL.parse((request.url ?? "").replace(/^ws:/i, "http:"));
    if (!url) {
      sendRawError(client, 400, PROXY_ERRORS.notAbsolute);
      return;
    }
    await this.#tunnel(client, url, site => {
      site.write(upgradeHead(url, request), "latin1");
      joinSockets(client, site, head);
    });
  }

  async #tunnel(client: Socket, url: URL, join: (site: SiteSocket) => void): Promise<void> {
    try {
      this.#checkUrl(url);
      if (this.archive?.serves(url)) throw new RefusedError(REQUEST_FAILURES.archivePort);
      join(await this.#open(url));
    } catch (error) {
      sendRawError(client, statusOf(error), reasonOf(error));
    }
  }

  /** @throws RefusedError when the URL, or the bytes of the page so far, refuse the request */
  #checkUrl(url: URL): void {
    if (this.exceeded) throw new RefusedError(REQUEST_FAILURES.tooManyBytes(this.#options.maxBytes));
    const refused = this.#refusalOf(url);
    if (refused !== null) {
      this.#outcomes.record(url, "refused", refused);
      throw new RefusedError(refused);
    }
    if (url.protocol !== "http:") throw new RefusedError(REQUEST_FAILURES.needsTunnel(url.protocol));
  }

  #refusalOf(url: URL): string | null {
    if (this.tunnel.serves(url) || this.archive?.serves(url)) return null;
    return this.archive?.refusal(url) ?? refuseUrl(url, this.#options.policy);
  }

  /** Connects to the URL's host and port if the guard allows it, and records the outcome. */
  async #open(url: URL): Promise<SiteSocket> {
    try {
      const site = await this.#connectTo(url);
      this.#track(site);
      // After a cut, connections that were being opened must stay closed.
      if (this.exceeded || !this.#server.listening) {
        site.destroy();
        throw new Error(REQUEST_FAILURES.canceled);
      }
      site.on("data", chunk => this.#count(chunk.length));
      this.#outcomes.clear(url);
      return site;
    } catch (error) {
      if (error instanceof RefusedError) this.#outcomes.record(url, "refused", error.message);
      if (error instanceof UnreachableError) this.#outcomes.record(url, "unreachable", error.message);
      throw error;
    }
  }

  #connectTo(url: URL): Promise<SiteSocket> {
    if (this.tunnel.serves(url)) return this.tunnel.connect();
    return connectChecked(hostOf(url), portOf(url), this.#options);
  }

  /** Returns whether to log this name: once each, and up to a limit, so that a page can't fill the log. */
  #shouldLog(detail: string): boolean {
    if (this.#unresolved.has(detail) || this.#unresolved.size >= MAX_LOGGED_NAMES) return false;
    this.#unresolved.add(detail);
    return true;
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    if (this.exceeded || this.bytes <= this.#options.maxBytes) return;
    this.exceeded = true;
    this.#cutAll();
  }

  #track(socket: SiteSocket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {}); // a reset connection is a problem of the page, not of the process
  }

  #cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
