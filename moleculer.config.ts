import { join } from "node:path";
import type { BrokerOptions } from "moleculer";
import { busCompression } from "./shared/bus-compression.ts";
import { bindConfig, type Config, loadConfig, tellRunner } from "./shared/config.ts";
import { logError } from "./shared/log-error.ts";
import { prometheusReporter } from "./shared/metrics.ts";
import { natsOptions } from "./shared/nats-options.ts";
import { NatsTransporter } from "./shared/nats-transporter.ts";

/** Every setting of a node's broker. */
export function brokerOptions(config: Config): BrokerOptions {
  return {
    namespace: "vrs",
    ...(config.nats && cluster(config.nats)),
    // What the fleet's queue is filled by.
    metadata: { renderConcurrency: config.services.includes("renderer") ? config.renderConcurrency : 0 },
    logger: {
      type: "Pino",
      options: { level: config.logLevel, pino: { options: { serializers: { err: logError } } } },
    },
    // Longer than the slowest action (a submission of 2,000 screenshots on a busy laptop), shorter than a client's patience.
    requestTimeout: 30_000,
    // A request in flight is answered before the node leaves.
    tracking: { enabled: true, shutdownTimeout: 10_000 },
    metrics: { enabled: true, reporter: [prometheusReporter()] },
    // Contracts are checked at the edge and by the compiler.
    validator: false,
    created: broker => bindConfig(broker, config),
  };
}

/** What a node needs beside the others on one bus. */
function cluster(servers: string[]): BrokerOptions {
  return {
    transporter: new NatsTransporter(natsOptions(servers, "vrs bus")),
    // Notices a node that died after ten seconds or so. Each check comes that late at most.
    heartbeatInterval: 3,
    heartbeatTimeout: 7,
    // A message is 1 MB at most by NATS' default, and a submission may be as much.
    middlewares: [busCompression("16kb")],
  };
}

/** What the runner calls: reads the environment and names the services that this node loads. */
export default function nodeConfig(): BrokerOptions {
  const config = loadConfig();
  tellRunner(config.services.map(name => join(import.meta.dirname, "services", name)));
  return { ...brokerOptions(config), started: () => sayWhere(config) };
}

/** Written past the log, for the person who started it. */
function sayWhere({ baseUrl, services }: Config): void {
  if (services.includes("gateway")) process.stdout.write(`\n  vrs is at ${baseUrl}\n\n`);
}
