import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { TUNNEL_HEADER, TUNNEL_PATH, tunnelId, tunnelKey } from "../../../shared/contracts/runs/tunnels.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { admit } from "../auth/admit.ts";
import { idsOf } from "../auth/authenticate.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerProblem } from "../http/answer-problem.ts";
import { pathOf } from "../http/unknown-routes.ts";
import { TUNNEL_ROUTE, TUNNEL_ROUTE_NAME } from "../routes/runs/tunnel-routes.ts";
import { ACCESS_ERRORS, REQUEST_ERRORS } from "../texts/errors.ts";

/** Above a frame of HTTP/2 with its head, which is what the command line sends at a time. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Accepts the WebSockets of tunnels on a server. Other requests for an upgrade are answered as without it. */
export function acceptTunnels(
  server: Server,
  gatewayOf: () => Gateway,
  onInternalError: (error: unknown) => void,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  Object.assign(server, { shouldUpgradeCallback: (req: IncomingMessage) => isForTunnel(gatewayOf(), req) });
  server.on("upgrade", (req, socket, head) => {
    socket.on("error", () => {}); // the client has disconnected
    serveTunnel(gatewayOf(), sockets, { req, socket, head }).catch(onInternalError);
  });
}

function isForTunnel({ serves }: Gateway, req: IncomingMessage): boolean {
  return (
    serves.has(TUNNEL_ROUTE_NAME) &&
    pathOf(req) === TUNNEL_PATH &&
    req.headers.upgrade?.toLowerCase() === "websocket"
  );
}

interface UpgradeRequest {
  req: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** Checks access and opens the tunnel, or answers with an error. @throws Error that is not the client's */
async function serveTunnel(
  gateway: Gateway,
  sockets: WebSocketServer,
  { req, socket, head }: UpgradeRequest,
): Promise<void> {
  const res = new ServerResponse(req);
  if (socket instanceof Socket) res.assignSocket(socket);
  try {
    const { teamId, key, openedBy } = await admitTunnel(gateway, req, res);
    gateway.tunnels.requireRoom(teamId, key);
    if (socket instanceof Socket) res.detachSocket(socket);
    sockets.handleUpgrade(req, socket, head, webSocket => {
      void gateway.tunnels.hold(key, { teamId, openedBy }, webSocket);
    });
  } catch (error) {
    // No HTTP timeout applies after an upgrade, and nothing reads what the client sends, so its close is not noticed.
    res.once("finish", () => (socket instanceof Socket ? socket.destroySoon() : socket.destroy()));
    res.setHeader("Connection", "close");
    if (answerProblem(req, res, error, randomUUID()) === "internal") throw error;
  }
}

async function admitTunnel(
  gateway: Gateway,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<{ teamId: string; key: string; openedBy: string[] }> {
  const query = Object.fromEntries(new URL(req.url ?? "/", "http://gateway").searchParams);
  const request = { req, res, params: {}, query, context: gateway.broker };
  const { identity, caller } = await admit(gateway, TUNNEL_ROUTE, request);
  // A page of another site could open a WebSocket with a session's cookie.
  if (!identity || !caller || identity.session)
    throw new ServiceError("unauthorized", ACCESS_ERRORS.missingKey);
  const id = tunnelId.safeParse(req.headers[TUNNEL_HEADER]);
  if (!id.success) throw invalidField("Vrs-Tunnel", REQUEST_ERRORS.tunnelId);
  return { teamId: caller.teamId, key: tunnelKey(caller.teamId, id.data), openedBy: idsOf(identity) };
}
