import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import { systemResolve } from "../../shared/capture/network/checked-connect.ts";
import { connectUrl, type UrlConnection } from "../../shared/capture/network/connect-url.ts";
import { reasonOf } from "../../shared/capture/network/exchange-errors.ts";
import { NameLookups } from "../../shared/capture/network/name-lookups.ts";
import type { ProbeRequest, ProbeResult } from "../../shared/contracts/monitors/http-checks.ts";
import { PROBE_ERRORS } from "./texts.ts";

const TIMEOUT_MS = 20_000;
/** After a longer wait for lookups of other probes, the page has less than the longest time that a monitor can allow. */
const MAX_WAIT_SHARE = 0.25;
const MAX_REDIRECTS = 5;
/** Text further below is not found. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const ERROR_CHARS = 500;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Shared by all probes of the process, so that names that don't resolve don't take all of its threads for lookups. */
const sharedNames = new NameLookups(systemResolve, { timeoutMs: TIMEOUT_MS });

/**
 * Requests a page as a visitor without a browser, and follows redirects. It connects only to addresses that the policy
 * allows, also after a redirect. Never throws: a page without a response has an error.
 * @returns null if it ran out of time because its lookups waited for those of others. That says nothing about the page
 */
export async function probePage(
  { url, headers, requiredText }: ProbeRequest,
  policy: AddressPolicy,
  { timeoutMs = TIMEOUT_MS, names = sharedNames }: ProbeOptions = {},
): Promise<ProbeResult | null> {
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const lookups = new ProbeLookups(names);
  const connecting = { policy, resolve: (host: string) => lookups.addresses(host) };
  try {
    const response = await follow(new URL(url), { headers, connecting, signal });
    const ms = Math.round(performance.now() - startedMs - lookups.waitMs);
    const hasText = requiredText === null ? null : await includesText(response, requiredText, signal);
    response.destroy();
    return { status: response.statusCode ?? null, ms, error: null, hasText };
  } catch (error) {
    if (signal.aborted && lookups.waitMs > MAX_WAIT_SHARE * timeoutMs) return null;
    const reason = signal.aborted ? PROBE_ERRORS.timeout(timeoutMs / 1_000) : reasonOf(error);
    return { status: null, ms: null, error: reason.slice(0, ERROR_CHARS), hasText: null };
  }
}

interface ProbeOptions {
  timeoutMs?: number;
  /** Looks up names. Those of the process by default. */
  names?: NameLookups;
}

/** The lookups of one probe, and how long they waited for those of others. */
class ProbeLookups {
  readonly #names: NameLookups;
  #waitedMs = 0;
  #waitsSinceMs: number | null = null;

  constructor(names: NameLookups) {
    this.#names = names;
  }

  get waitMs(): number {
    return this.#waitedMs + (this.#waitsSinceMs === null ? 0 : performance.now() - this.#waitsSinceMs);
  }

  async addresses(host: string): Promise<string[]> {
    const { started, addresses } = this.#names.lookUp(host);
    this.#waitsSinceMs = performance.now();
    await started;
    [this.#waitedMs, this.#waitsSinceMs] = [this.waitMs, null];
    return addresses;
  }
}

interface Exchange {
  headers: Record<string, string>;
  connecting: UrlConnection;
  signal: AbortSignal;
}

async function follow(first: URL, exchange: Exchange): Promise<IncomingMessage> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    // Headers may be credentials, so another origin never gets them.
    const headers = url.origin === first.origin ? exchange.headers : {};
    const response = await exchangeOnce(url, { ...exchange, headers });
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return response;
    response.destroy();
    const next = URL.canParse(location, url) ? new URL(location, url) : null;
    if (next?.protocol !== "http:" && next?.protocol !== "https:") throw new Error(PROBE_ERRORS.badRedirect);
    url = next;
  }
  throw new Error(PROBE_ERRORS.redirects(MAX_REDIRECTS));
}

async function exchangeOnce(url: URL, { headers, connecting, signal }: Exchange): Promise<IncomingMessage> {
  const socket = await connectTo(url, connecting, signal);
  const sent = request({
    ...{ method: "GET", host: url.hostname, path: `${url.pathname}${url.search}`, signal },
    headers: {
      "User-Agent": "vrs HTTP check",
      Accept: "*/*",
      ...headers,
      Host: url.host,
      Connection: "close",
    },
    createConnection: () => socket,
  });
  sent.on("error", () => socket.destroy());
  sent.end();
  const [response] = await once(sent, "response", { signal });
  // biome-ignore lint/plugin: the event's types don't name its argument.
  const incoming = response as IncomingMessage;
  incoming.on("error", () => {});
  return incoming;
}

async function connectTo(url: URL, connecting: UrlConnection, signal: AbortSignal): Promise<Duplex> {
  const socket = await inTime(connectUrl(url, connecting), signal);
  if (!(socket instanceof TLSSocket)) return socket;
  try {
    await once(socket, "secureConnect", { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.on("error", () => {});
  return socket;
}

/** Waits for a connection, since looking up a name can take longer than a probe. A late connection is closed. */
async function inTime(connected: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([connected, over.promise]);
  } catch (error) {
    void connected.then(
      socket => socket.destroy(),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Looks for a text in the beginning of a body. It keeps no more of the body than could begin the text. */
async function includesText(response: IncomingMessage, text: string, signal: AbortSignal): Promise<boolean> {
  const decoder = decoderOf(response.headers["content-type"]);
  let seen = "";
  let bytes = 0;
  for await (const part of response) {
    signal.throwIfAborted();
    const bytesOfPart = Buffer.from(part);
    seen += decoder.decode(bytesOfPart, { stream: true });
    if (seen.includes(text)) return true;
    seen = seen.slice(Math.max(0, seen.length - text.length + 1));
    bytes += bytesOfPart.length;
    if (bytes >= MAX_BODY_BYTES) break;
  }
  return false;
}

/** Returns a decoder of the encoding that a `Content-Type` names. UTF-8 without one that is known. */
function decoderOf(contentType = ""): TextDecoder {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
