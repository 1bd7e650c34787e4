import { createHash } from "node:crypto";
import { z } from "zod";

/** Path at which the command line opens a tunnel, as a WebSocket. */
export const TUNNEL_PATH = "/v1/tunnels";
/** Header of that request with the id of the tunnel. */
export const TUNNEL_HEADER = "vrs-tunnel";

/** Id of a tunnel: 32 random bytes that its client chose. */
export const tunnelId = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "must be 32 random bytes in base64url");

/**
 * Most bytes of one message on the bus. NATS accepts 1 MB, and smaller messages of other nodes shouldn't wait for long.
 */
export const MAX_CHUNK_BYTES = 256 * 1024;

/**
 * Returns the key under which the nodes know a tunnel. It contains the team, so that an id opens nothing for another
 * team.
 */
export function tunnelKey(teamId: string, id: string): string {
  return createHash("sha256").update(`${teamId} ${id}`).digest("hex");
}

/** A request of a renderer about a connection to the local application. */
export type TunnelRequest =
  | { op: "open" }
  /** Asks whether the tunnel is there. */
  | { op: "check" }
  /** Waits for bytes of the application. */
  | { op: "read"; stream: string }
  | { op: "write"; stream: string; data: Buffer }
  /** No more bytes will be written. */
  | { op: "end"; stream: string }
  | { op: "close"; stream: string };

export type TunnelAnswer =
  /** The session is another one after every interruption of the tunnel. */
  | { is: "opened"; stream: string; session: string }
  | { is: "alive"; session: string }
  | { is: "data"; data: Buffer }
  /** No bytes arrived yet. The next read waits again. */
  | { is: "idle" }
  | { is: "done" }
  /** The application sends no more bytes. */
  | { is: "ended" }
  /** The application doesn't accept connections, or has reset this one. */
  | { is: "refused" }
  /** The tunnel has too many connections. */
  | { is: "busy" }
  /** The tunnel was interrupted during this connection. */
  | { is: "lost" };

/** How renderers reach the gateway that holds a tunnel. */
export interface TunnelBus {
  /**
   * Handles the requests about a tunnel, until the returned function is called. It replaces an earlier handler of this
   * node for the same key.
   */
  serve(key: string, handle: (request: TunnelRequest) => Promise<TunnelAnswer>): Promise<() => void>;
  /** Sends a request. Returns null if no gateway holds the tunnel now. */
  request(key: string, request: TunnelRequest): Promise<TunnelAnswer | null>;
}
