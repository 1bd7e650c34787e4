import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { createWebSocketStream, WebSocket } from "ws";
import { ApiError, errorOf } from "../../shared/api/api-exchanges.ts";
import { type Backoff, backoffMs } from "../../shared/backoff.ts";
import { TUNNEL_HEADER, TUNNEL_PATH } from "../../shared/contracts/runs/tunnels.ts";
import type { Access } from "./access.ts";
import { forwardStreams } from "./forward-streams.ts";
import { toCommandError } from "./service-errors.ts";

const HANDSHAKE_TIMEOUT_MS = 30_000;
/** The service pings more often. Silence for this long means that the connection is dead. */
const SILENCE_MS = 45_000;
/** Renderers wait for an interrupted tunnel for 15 seconds. */
const RETRIES: Backoff = { firstMs: 200, longestMs: 5_000 };
const MAX_MESSAGE_BYTES = 1024 * 1024;
const NORMAL_CLOSURE = 1000;

export interface TunnelOptions {
  /** URL of the application. The service reaches its host and port only. */
  application: string;
  signal: AbortSignal;
  /** Called when the connection is lost, and when it is back. */
  onChange(isOpen: boolean): void;
}

export interface Tunnel {
  /** Names the tunnel in the run. Only the key's team can use it. */
  id: string;
  /** Aborts with a CommandError when the service doesn't accept the tunnel anymore. */
  ended: AbortSignal;
  close(): void;
}

/**
 * Opens a tunnel from the service to an application on this machine. It is opened again after interruptions.
 * @throws CommandError if the service can't be reached or doesn't accept it
 */
export async function openTunnel(access: Access, options: TunnelOptions): Promise<Tunnel> {
  const tunnel = new ReopenedTunnel(access, options);
  await tunnel.open();
  return tunnel;
}

class ReopenedTunnel implements Tunnel {
  readonly id = randomBytes(32).toString("base64url");
  readonly #access: Access;
  readonly #options: TunnelOptions;
  readonly #closing = new AbortController();
  readonly #ended = new AbortController();
  #socket: WebSocket | null = null;

  constructor(access: Access, options: TunnelOptions) {
    this.#access = access;
    this.#options = options;
    options.signal.addEventListener("abort", () => this.close(), { once: true });
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** @throws CommandError */
  async open(): Promise<void> {
    const { socket, bytes } = await connectTo(this.#access, this.id).catch((error: unknown) => {
      throw toCommandError(this.#access.url, error);
    });
    this.#socket = socket;
    if (this.#closing.signal.aborted) return this.close();
    socket.once("close", () => void this.#reopen());
    forwardStreams(bytes, new URL(this.#options.application));
  }

  close(): void {
    this.#closing.abort();
    this.#socket?.close(NORMAL_CLOSURE);
  }

  async #reopen(): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    this.#options.onChange(false);
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await this.open();
        if (!signal.aborted) this.#options.onChange(true);
        return;
      } catch (error) {
        if (isFinal(error)) return this.#ended.abort(error);
        await delay(backoffMs(attempt, RETRIES), undefined, { signal }).catch(() => {});
      }
    }
  }
}

/** Returns whether another attempt would get the same answer. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ApiError && cause.status < 500 && cause.status !== 429;
}

/** Opens the WebSocket. @throws ApiError, or a TypeError as of fetch if nothing responds */
async function connectTo({ url, apiKey }: Access, id: string): Promise<{ socket: WebSocket; bytes: Duplex }> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}${TUNNEL_PATH}`, {
    headers: { authorization: `Bearer ${apiKey}`, [TUNNEL_HEADER]: id },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  // The service's first bytes can come with its acceptance.
  const bytes = createWebSocketStream(socket);
  bytes.on("error", () => {}); // the socket reports it
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("unexpected-response", (_request, response) => {
      refusalOf(response).then(reject, reject);
    });
    socket.on("error", error => reject(new TypeError(error.message, { cause: error })));
  });
  watch(socket);
  return { socket, bytes };
}

async function refusalOf(response: IncomingMessage): Promise<ApiError> {
  const body = await text(response);
  return await errorOf(new Response(body, { status: response.statusCode ?? 502 }));
}

/** Ends the socket when the pings of the service stay out. */
function watch(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), SILENCE_MS);
  socket.on("ping", () => timer.refresh());
  socket.once("close", () => clearTimeout(timer));
}
