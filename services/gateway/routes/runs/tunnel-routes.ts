import { TUNNEL_PATH } from "../../../../shared/contracts/runs/tunnels.ts";
import { ServiceError } from "../../../../shared/errors.ts";
import { REQUEST_ERRORS } from "../../texts/errors.ts";
import type { Route } from "../route.ts";

export const TUNNEL_ROUTE_NAME = `GET ${TUNNEL_PATH}`;

export const TUNNEL_ROUTE: Route = {
  role: "reviewer",
  summary:
    "Open a tunnel to a local application, as a WebSocket. `vrs run --render remote` does it. The header `Vrs-Tunnel` has an id of 32 random bytes in base64url, which the `tunnel` of a run names",
  answers: { 101: null },
  async serve() {
    throw new ServiceError("invalid_request", REQUEST_ERRORS.noWebSocket);
  },
};

export const TUNNEL_ROUTES: Record<string, Route> = { [TUNNEL_ROUTE_NAME]: TUNNEL_ROUTE };
