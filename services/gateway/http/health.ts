import type { ServiceBroker } from "moleculer";
import { prometheusText } from "../../../shared/broker/metrics.ts";
import { configOf, SERVICE_NAMES } from "../../../shared/config.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Answer, Input } from "../routes/route.ts";

/** Whether this process answers at all, and to which integration with a deployment platform. */
export async function serveHealth({ broker }: Gateway): Promise<Answer> {
  return { status: 200, body: { status: "ok", integration: configOf(broker).platform.name } };
}

/** Those that had every service when they were last asked, or before. */
const wereReady = new WeakSet<ServiceBroker>();

/** Whether every service that a run needs is on the bus; on a node that is alone, every one that it is to have. */
export async function serveReadiness({ broker }: Gateway): Promise<Answer> {
  const present = new Set(
    broker.registry.getServiceList({ onlyAvailable: true }).map(service => service.name),
  );
  const { nats, services } = configOf(broker);
  const missing = (nats === null ? services : SERVICE_NAMES).filter(name => !present.has(name));
  if (missing.length === 0) {
    wereReady.add(broker);
    return { status: 200, body: { status: "ready", missing } };
  }
  return { status: 503, body: { status: wereReady.has(broker) ? "unavailable" : "starting", missing } };
}

/** This node's metrics, for Prometheus. */
export async function serveMetrics({ broker }: Gateway, { res }: Input): Promise<undefined> {
  res.setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  res.end(prometheusText(broker));
}
