import { type Config, isIntegrationOnly } from "../../../shared/config.ts";
import { PLATFORM_ROUTES } from "../routes/platform-routes.ts";
import type { Route } from "../routes/route.ts";
import { ROUTES } from "../routes/routes.ts";

/** What a gateway can answer by itself. */
const OF_GATEWAY = ["GET /", "GET /docs", "GET /v1/openapi.json", "GET /health", "GET /ready"];

/** The routes that this node serves: all, but not those of an API that is another installation's. */
export function servedHere({ nats, services }: Pick<Config, "nats" | "services">): Record<string, Route> {
  if (nats !== null || !isIntegrationOnly(services)) return ROUTES;
  const served = new Set([...Object.keys(PLATFORM_ROUTES), ...OF_GATEWAY]);
  return Object.fromEntries(Object.entries(ROUTES).filter(([name]) => served.has(name)));
}
