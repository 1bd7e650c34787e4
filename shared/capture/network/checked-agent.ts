import { Agent, type ClientRequest, type ClientRequestArgs } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type SiteSocket, TunnelSocket } from "../tunnel/tunnel-socket.ts";

/** The limit of browsers for connections to one host. More idle connections would never be used. */
const MAX_IDLE_PER_HOST = 6;

/** Limits idle connections to many hosts too, so that a page can't accumulate them. */
const MAX_CONNECTIONS = 256;

/** A site that is silent for this long won't respond. The time limits of a page end long before. */
export const SITE_IDLE_TIMEOUT_MS = 120_000;

/** Keeps connections to sites by host and port. It opens new ones only through `open`, which checks them. */
export class CheckedAgent extends Agent {
  readonly #open: (url: URL) => Promise<SiteSocket>;

  constructor(open: (url: URL) => Promise<SiteSocket>) {
    super({
      keepAlive: true,
      maxFreeSockets: MAX_IDLE_PER_HOST,
      maxTotalSockets: MAX_CONNECTIONS,
      timeout: SITE_IDLE_TIMEOUT_MS,
    });
    this.#open = open;
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#open(new URL(`http://${host}:${port}/`)).then(
      socket => {
        socket.setTimeout(SITE_IDLE_TIMEOUT_MS); // Node sets it from the options for its own sockets
        callback?.(null, socket);
      },
      // Node reads no socket after an error, but the type requires one.
      (error: Error) => callback?.(error, new Socket()),
    );
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    // While the socket was idle, it had the timeout of the site's Keep-Alive, often seconds. Node does not reset it.
    if (socket instanceof Socket || socket instanceof TunnelSocket) socket.setTimeout(SITE_IDLE_TIMEOUT_MS);
  }
}
