import { createServer, type Http2Session, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Twice as many as the service opens, because it learns late which have closed. */
const MAX_STREAMS = 512;
/** Bytes in transit from the service, for all streams together. */
const WINDOW_BYTES = 8 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 4_000;

/**
 * Connects every stream that the service opens in a tunnel to one application, whatever the stream asks for. So nothing
 * else on this machine and its network can be reached.
 * @param tunnel the bytes of the connection to the service
 * @param application URL of the application
 */
export function forwardStreams(tunnel: Duplex, application: URL): void {
  const server = createServer({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  server.on("session", (session: ServerHttp2Session) => {
    session.setLocalWindowSize(WINDOW_BYTES);
    ignoreErrors(session);
  });
  server.on("stream", stream => void forward(stream, application));
  tunnel.on("error", () => {}); // the WebSocket's end is handled by its owner
  server.emit("connection", tunnel);
}

function forward(stream: ServerHttp2Stream, application: URL): void {
  const { hostname, port, protocol } = application;
  const local = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
    allowHalfOpen: true,
    noDelay: true,
  });
  local.setTimeout(CONNECT_TIMEOUT_MS, () => local.destroy(new Error("No response.")));
  local.once("connect", () => {
    local.setTimeout(0);
    if (!stream.destroyed) join(stream, local);
  });
  // Closing it would end it first, as if the application had sent everything.
  local.on("error", error => stream.destroy(error));
  ignoreErrors(stream);
  stream.once("close", () => local.destroy());
}

/** Passes bytes in both directions, at the pace of the slower side. */
function join(stream: ServerHttp2Stream, local: Socket): void {
  stream.respond({ ":status": 200 });
  stream.pipe(local);
  local.pipe(stream);
}

/** The end of the connection is an error of each part. Its owner handles it. */
function ignoreErrors(part: Http2Session | ServerHttp2Stream): void {
  part.on("error", () => {});
}
