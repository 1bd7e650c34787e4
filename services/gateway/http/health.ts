import type { ServiceBroker } from "moleculer";
import { prometheusText } from "../../../shared/broker/metrics/metrics.ts";
import { configOf } from "../../../shared/config.ts";
import { SERVICE_NAMES } from "../../../shared/environment/variables.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Answer, Input } from "../routes/route.ts";

/** Answers that this process runs, and with which deployment platform it is integrated. */
export async function serveHealth({ broker }: Gateway): Promise<Answer> {
  return { status: 200, body: { status: "ok", integration: configOf(broker).platform.name } };
}

/** Brokers that had every service at an earlier request. */
const wereReady = new WeakSet<ServiceBroker>();

/**
 * Answers whether all services that a run needs are on the bus. On a node that runs alone, these are the node's
 * own services.
 */
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

/** Answers with this node's metrics for Prometheus. */
export async function serveMetrics({ broker }: Gateway, { res }: Input): Promise<undefined> {
  res.setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  res.end(prometheusText(broker));
}
