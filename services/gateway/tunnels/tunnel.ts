import { randomUUID } from "node:crypto";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Duplex } from "node:stream";
import {
  MAX_CHUNK_BYTES,
  type TunnelAnswer,
  type TunnelRequest,
} from "../../../shared/contracts/runs/tunnels.ts";

/** A browser opens 6 connections to a host. This is enough for the pages that a fleet renders in parallel. */
const MAX_STREAMS = 256;
/** The command line connects to its own machine. */
const OPEN_TIMEOUT_MS = 5_000;
/** How long a read waits for bytes. The reader then asks again. */
const READ_TIMEOUT_MS = 5_000;
/** A stream without a request for this long has lost its renderer. */
const IDLE_MS = 120_000;
/** Buffered bytes of the whole tunnel in each direction: what fits between two acknowledgments on a slow line. */
const WINDOW_BYTES = 8 * 1024 * 1024;
/** Names the destination for HTTP/2. The command line ignores it: it connects to its one address. */
const AUTHORITY = "application:80";

const LOST: TunnelAnswer = { is: "lost" };

/**
 * A tunnel to a command line. Each connection to its local application is a stream of one HTTP/2 session, in which the
 * gateway is the client. So the command line can't open anything here.
 */
export class Tunnel {
  readonly #id = randomUUID();
  readonly #connection: Duplex;
  readonly #session: ClientHttp2Session;
  readonly #streams = new Map<string, TunnelStream>();

  /** @param connection the bytes of the WebSocket */
  constructor(connection: Duplex) {
    this.#connection = connection;
    this.#session = connect("http://tunnel", {
      createConnection: () => connection,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES / 8 },
    });
    this.#session.once("connect", () => {
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(WINDOW_BYTES);
    });
    // The WebSocket's end says more.
    this.#session.on("error", () => {});
    connection.on("error", () => {});
  }

  /** Answers a renderer's request about one of its connections. */
  async handle(request: TunnelRequest): Promise<TunnelAnswer> {
    // The command line may have announced the end of the session.
    if (this.#session.destroyed || this.#session.closed) return LOST;
    if (request.op === "check") return { is: "alive", session: this.#id };
    if (request.op === "open") return await this.#open();
    const stream = this.#streams.get(request.stream);
    if (stream) return await stream.handle(request);
    return request.op === "read" ? LOST : { is: "done" };
  }

  /** Closes the connection, which ends the session. A session that ends first writes to it, and Node may crash. */
  close(): void {
    this.#connection.destroy();
  }

  async #open(): Promise<TunnelAnswer> {
    if (this.#streams.size >= MAX_STREAMS) return { is: "busy" };
    const id = randomUUID();
    const stream = new TunnelStream(this.#session, () => this.#streams.delete(id));
    this.#streams.set(id, stream);
    if (await stream.isAccepted()) return { is: "opened", stream: id, session: this.#id };
    return this.#session.destroyed ? LOST : { is: "refused" };
  }
}

/** One connection to the local application. It is kept until its renderer closes it, so that every read has an answer. */
class TunnelStream {
  readonly #http: ClientHttp2Stream;
  readonly #session: ClientHttp2Session;
  readonly #idle: NodeJS.Timeout;

  readonly #onClose: () => void;

  constructor(session: ClientHttp2Session, onClose: () => void) {
    this.#session = session;
    this.#http = session.request({ ":method": "CONNECT", ":authority": AUTHORITY });
    const http = this.#http;
    this.#onClose = onClose;
    http.on("error", () => {});
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#http.close(constants.NGHTTP2_CANCEL);
    this.#onClose();
  }

  /** Resolves to whether the application accepted the connection. */
  async isAccepted(): Promise<boolean> {
    const http = this.#http;
    const isOpen = await new Promise<boolean>(resolve => {
      const timer = setTimeout(resolve, OPEN_TIMEOUT_MS, false);
      http.once("response", ({ ":status": status }) => resolve(status === 200));
      http.once("close", () => resolve(false));
      http.once("close", () => clearTimeout(timer));
      http.once("response", () => clearTimeout(timer));
    });
    if (!isOpen) this.close();
    return isOpen;
  }

  async handle(request: Extract<TunnelRequest, { stream: string }>): Promise<TunnelAnswer> {
    this.#idle.refresh();
    if (request.op === "read") return await this.#read();
    if (request.op === "write") await this.#write(request.data);
    else if (request.op === "end") this.#http.end();
    else this.close();
    return { is: "done" };
  }

  async #read(): Promise<TunnelAnswer> {
    const before = this.#next();
    if (before) return before;
    await untilEvent(this.#http, ["readable", "end", "close"], READ_TIMEOUT_MS);
    return this.#next() ?? { is: "idle" };
  }

  /** Returns the bytes that have arrived, or how the connection has ended; null while nothing has happened. */
  #next(): TunnelAnswer | null {
    const http = this.#http;
    const data = take(http);
    if (data) return { is: "data", data };
    // Node ends the stream in any case.
    if (this.#session.destroyed) return LOST;
    if (http.rstCode !== constants.NGHTTP2_NO_ERROR) return { is: "refused" };
    if (http.readableEnded) return { is: "ended" };
    return http.destroyed ? LOST : null;
  }

  async #write(data: Buffer): Promise<void> {
    if (!this.#http.writable || this.#http.write(data)) return;
    await untilEvent(this.#http, ["drain", "close"], READ_TIMEOUT_MS);
  }
}

/** Takes the bytes that have arrived, up to the size of a message. */
function take(http: ClientHttp2Stream): Buffer | null {
  const length = Math.min(http.readableLength, MAX_CHUNK_BYTES);
  // Without bytes, a read still notices the end.
  const chunk: unknown = length === 0 ? http.read(0) : http.read(length);
  return chunk instanceof Buffer ? chunk : null;
}

/** Waits until one of the events, or for a while. */
async function untilEvent(stream: Duplex, names: readonly string[], timeoutMs: number): Promise<void> {
  await new Promise<void>(resolve => {
    const finish = () => {
      clearTimeout(timer);
      for (const name of names) stream.off(name, finish);
      resolve();
    };
    const timer = setTimeout(finish, timeoutMs);
    for (const name of names) stream.on(name, finish);
  });
}
