import { Duplex } from "node:stream";
import type { TunnelAnswer, TunnelBus, TunnelRequest } from "../../contracts/runs/tunnels.ts";
import { MAX_CHUNK_BYTES } from "../../contracts/runs/tunnels.ts";
import { UnreachableError } from "../network/checked-connect.ts";
import { REQUEST_FAILURES } from "../texts.ts";

/** What the proxy needs of a connection to a site. A socket of Node has it too. */
export interface SiteSocket extends Duplex {
  setTimeout(ms: number, onTimeout?: () => void): this;
  destroySoon(): void;
}

/** The tunnel was interrupted. The rest of the response is unknown. */
export class TunnelLostError extends UnreachableError {
  override name = "TunnelLostError";

  constructor() {
    super(REQUEST_FAILURES.tunnelLost);
  }
}

/** One connection to a local application, through the gateway that holds the tunnel. */
export class TunnelSocket extends Duplex implements SiteSocket {
  readonly #bus: TunnelBus;
  readonly #key: string;
  readonly #stream: string;
  #timer: NodeJS.Timeout | null = null;
  #timeoutMs = 0;

  constructor(bus: TunnelBus, key: string, stream: string) {
    super({ allowHalfOpen: false, readableHighWaterMark: MAX_CHUNK_BYTES });
    this.#bus = bus;
    this.#key = key;
    this.#stream = stream;
  }

  override _read(): void {
    this.#readOnce().catch((error: Error) => this.destroy(error));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#writeAll(chunk).then(() => callback(), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#send({ op: "end", stream: this.#stream }).then(() => callback(), callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    // If it doesn't arrive, the gateway closes the idle connection.
    this.#bus.request(this.#key, { op: "close", stream: this.#stream }).catch(() => {});
    callback(error);
  }

  /** Emits `timeout` after a time without bytes, as sockets do. */
  setTimeout(ms: number, onTimeout?: () => void): this {
    this.#timeoutMs = ms;
    if (onTimeout) this.once("timeout", onTimeout);
    this.#refresh();
    return this;
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  /** HTTP agents call these on every connection. */
  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  async #readOnce(): Promise<void> {
    while (!this.destroyed) {
      const answer = await this.#send({ op: "read", stream: this.#stream });
      if (answer.is === "idle") continue;
      this.#refresh();
      this.push(answer.is === "data" ? answer.data : null);
      return;
    }
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    this.#refresh();
    for (let start = 0; start < bytes.length; start += MAX_CHUNK_BYTES) {
      const data = bytes.subarray(start, start + MAX_CHUNK_BYTES);
      await this.#send({ op: "write", stream: this.#stream, data });
    }
  }

  /** @throws TunnelLostError; UnreachableError if the application has reset the connection */
  async #send(request: TunnelRequest): Promise<TunnelAnswer> {
    const answer = await this.#bus.request(this.#key, request).catch(() => null);
    if (answer === null || answer.is === "lost") throw new TunnelLostError();
    if (answer.is === "refused") throw new UnreachableError(REQUEST_FAILURES.cutShort);
    return answer;
  }

  #refresh(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#timeoutMs > 0 && !this.destroyed)
      this.#timer = setTimeout(() => this.emit("timeout"), this.#timeoutMs).unref();
  }
}
