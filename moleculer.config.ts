import { join } from "node:path";
import type { BrokerOptions } from "moleculer";
import { bindConfig, type Config, loadConfig, tellRunner } from "./shared/config.ts";
import { logError } from "./shared/log-error.ts";
import { prometheusReporter } from "./shared/metrics.ts";

/** Every setting of a node's broker. */
export function brokerOptions(config: Config): BrokerOptions {
  return {
    namespace: "vrs",
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
