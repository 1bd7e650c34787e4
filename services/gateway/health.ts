import { prometheusText } from "../../shared/broker/metrics.ts";
import { SERVICE_NAMES } from "../../shared/config.ts";
import type { Gateway } from "./gateway.ts";
import type { Answer, Input } from "./route.ts";

/** Whether this process answers at all. */
export async function serveHealth(): Promise<Answer> {
  return { status: 200, body: { status: "ok" } };
}

/** Whether every service that a run needs is on the bus. */
export async function serveReadiness({ broker }: Gateway): Promise<Answer> {
  const present = new Set(
    broker.registry.getServiceList({ onlyAvailable: true }).map(service => service.name),
  );
  const missing = SERVICE_NAMES.filter(name => !present.has(name));
  return missing.length === 0
    ? { status: 200, body: { status: "ready", missing } }
    : { status: 503, body: { status: "starting", missing } };
}

/** This node's metrics, for Prometheus. */
export async function serveMetrics({ broker }: Gateway, { res }: Input): Promise<undefined> {
  res.setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  res.end(prometheusText(broker));
}
