import { setTimeout as delay } from "node:timers/promises";
import type { TunnelAnswer, TunnelBus } from "../../contracts/runs/tunnels.ts";
import { hostOf, portOf } from "../network/address-guard.ts";
import { UnreachableError } from "../network/checked-connect.ts";
import { REQUEST_FAILURES } from "../texts.ts";
import { TunnelLostError, TunnelSocket } from "./tunnel-socket.ts";

/** A command line opens an interrupted tunnel again within seconds. The time limits of a page are longer. */
const RESUME_MS = 15_000;
const RETRY_MS = 250;

/** The tunnel to the local application of a run. Its pages reach the application's host and port only through it. */
export class SiteTunnel {
  readonly #bus: TunnelBus;
  readonly #key: string;
  readonly #host: string;
  readonly #port: number;
  readonly #resumeMs: number;
  /** Since when the tunnel is gone; null while it is there. */
  #goneSince: number | null = null;

  /** @param site URL of the application, as the run names it */
  constructor(bus: TunnelBus, key: string, site: string, resumeMs = RESUME_MS) {
    const url = new URL(site);
    this.#bus = bus;
    this.#key = key;
    this.#host = hostOf(url);
    this.#port = portOf(url);
    this.#resumeMs = resumeMs;
  }

  /** Returns whether a URL's host and port are the application's. */
  serves(url: URL): boolean {
    return hostOf(url) === this.#host && portOf(url) === this.#port;
  }

  /**
   * Connects to the application. It waits for an interrupted tunnel, once for all pages of a run.
   * @returns the connection, and the tunnel's session that it belongs to
   * @throws TunnelLostError; UnreachableError if the application doesn't accept connections
   */
  async connect(): Promise<{ socket: TunnelSocket; session: string }> {
    for (;;) {
      const answer = await this.#ask("open");
      if (answer?.is === "refused") throw new UnreachableError(REQUEST_FAILURES.localRefused);
      if (answer?.is === "opened") {
        this.#goneSince = null;
        const { stream, session } = answer;
        return { socket: new TunnelSocket(this.#bus, this.#key, stream), session };
      }
      this.#goneSince ??= performance.now();
      if (performance.now() - this.#goneSince > this.#resumeMs) throw new TunnelLostError();
      await delay(RETRY_MS);
    }
  }

  /** Returns the tunnel's session; null if the tunnel is gone. */
  async session(): Promise<string | null> {
    const answer = await this.#ask("check");
    return answer?.is === "alive" ? answer.session : null;
  }

  async #ask(op: "open" | "check"): Promise<TunnelAnswer | null> {
    return await this.#bus.request(this.#key, { op }).catch(() => null);
  }
}
