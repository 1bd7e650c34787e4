import type { SiteTunnel } from "./site-tunnel.ts";
import { TunnelLostError, type TunnelSocket } from "./tunnel-socket.ts";

/**
 * How the pages of a context use a tunnel. It notices every interruption, so that a page without some of its files is
 * never taken for a changed one.
 */
export class TunnelUse {
  readonly #tunnel: SiteTunnel | null;
  #session: string | null = null;
  /** `cut`: the tunnel was interrupted while the page used it. `gone`: it did not come back in time. */
  loss: "cut" | "gone" | null = null;

  constructor(tunnel: SiteTunnel | null) {
    this.#tunnel = tunnel;
  }

  serves(url: URL): boolean {
    return this.#tunnel?.serves(url) ?? false;
  }

  /** Forgets the interruptions of the previous page. */
  reset(): void {
    this.loss = null;
    this.#session = null;
  }

  /** @throws TunnelLostError, UnreachableError */
  async connect(): Promise<TunnelSocket> {
    if (this.#tunnel === null) throw new TunnelLostError();
    try {
      const { socket, session } = await this.#tunnel.connect();
      this.#note(session);
      socket.on("error", error => {
        if (error instanceof TunnelLostError) this.loss ??= "cut";
      });
      return socket;
    } catch (error) {
      if (error instanceof TunnelLostError) this.loss = "gone";
      throw error;
    }
  }

  /** Asks whether the tunnel is still the one through which the page was loaded. */
  async confirm(): Promise<void> {
    if (this.#tunnel === null || this.#session === null) return;
    const session = await this.#tunnel.session();
    if (session === null) this.loss ??= "cut";
    else this.#note(session);
  }

  #note(session: string): void {
    if (this.#session !== null && this.#session !== session) this.loss ??= "cut";
    this.#session = session;
  }
}
