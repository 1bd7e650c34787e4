import { type Config, configOf } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { Action } from "../../../shared/contracts/teams/team-actions.ts";
import type { Route } from "./route.ts";

/** Actions that handle a webhook delivery. */
type DeliveryAction = {
  [N in ActionName]: Actions[N] extends Action<Delivery, DeliveryAnswer> ? N : never;
}[ActionName];

interface DeliveryRoute extends Omit<Route, "role" | "serve" | "body" | "query"> {
  /** Headers that the action gets, in lower case, or a function that returns them for the node's configuration. */
  headers: string[] | ((config: Config) => string[]);
  /** Limit of the body, by default 1 MiB. */
  maxMebibytes?: number;
}

/** Returns a route for another system's webhook. The action verifies the sender with the raw bytes. */
export function deliveryRoute(
  action: DeliveryAction,
  { headers, maxMebibytes, ...route }: DeliveryRoute,
): Route {
  return {
    ...route,
    role: "signed",
    async serve({ broker, deliveries }, { req, params, context }) {
      const names = typeof headers === "function" ? headers(configOf(broker)) : headers;
      const sent = names.flatMap(name => {
        const value = req.headers[name];
        return typeof value === "string" ? [[name, value] as const] : [];
      });
      const headersSent = Object.fromEntries(sent);
      return await deliveries.receive(req, maxMebibytes, body =>
        call(context, action, { headers: headersSent, params, body: body.toString("base64") }),
      );
    },
  };
}
