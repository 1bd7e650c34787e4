import { Agent, type ClientRequest, type ClientRequestArgs } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** As browsers bound connections to one host; more idle ones would never be used. */
const MAX_IDLE_PER_HOST = 6;

/** Idle connections to many hosts count too, so that a page cannot pile them up. */
const MAX_CONNECTIONS = 256;

/** A site that answers nothing for this long never will; a page's own time limits end long before. */
export const SITE_IDLE_TIMEOUT_MS = 120_000;

/** Keeps connections to sites by host and port, and opens new ones only through `open`, which checks them. */
export class CheckedAgent extends Agent {
  readonly #open: (url: URL) => Promise<Socket>;

  constructor(open: (url: URL) => Promise<Socket>) {
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
        socket.setTimeout(SITE_IDLE_TIMEOUT_MS); // Node's own sockets have it from their options
        callback?.(null, socket);
      },
      // Node reads no socket beside an error, though the type wants one.
      (error: Error) => callback?.(error, new Socket()),
    );
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    // While it was idle it had what the site's Keep-Alive named, often some seconds, and Node leaves it so.
    if (socket instanceof Socket) socket.setTimeout(SITE_IDLE_TIMEOUT_MS);
  }
}
