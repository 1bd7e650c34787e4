import type { ServerResponse } from "node:http";
import type { MetricRegistry } from "moleculer";
import { METRICS } from "../../../shared/broker/metrics/metric-catalogue.ts";
import type { Route } from "../routes/route.ts";

const EVENT_STREAM = "text/event-stream";

/**
 * Counts a request when its response has ended, and its time. Event streams are open for as long as a client listens.
 * @param name method and path of the route, such as `GET /v1/runs/:id`, so that URLs don't get into metrics
 */
export function countRequest(metrics: MetricRegistry, name: string, route: Route, res: ServerResponse): void {
  const [method = "", path = ""] = name.split(" ");
  const isStream = Object.values(route.answers).includes(EVENT_STREAM);
  const startedAt = performance.now();
  res.once("close", () => {
    metrics.increment(METRICS.httpRequests.name, { method, route: path, status: String(res.statusCode) });
    const seconds = (performance.now() - startedAt) / 1_000;
    if (!isStream) metrics.observe(METRICS.httpSeconds.name, seconds, { method, route: path });
  });
}
