import { join } from "node:path";
import type { BrokerOptions, Middleware } from "moleculer";
import { natsServers, natsUser } from "./mixins/queue/nats-servers.ts";
import { isNodeFailure, mayPass } from "./shared/broker/bus-errors.ts";
import { busCompression, remoteTimeout } from "./shared/broker/bus-middlewares.ts";
import { logError } from "./shared/broker/log-error.ts";
import { logRuns } from "./shared/broker/log-runs.ts";
import { prometheusReporter } from "./shared/broker/metrics.ts";
import { NatsTransporter } from "./shared/broker/nats-transporter.ts";
import { nodeIdFor, restrictWorkers } from "./shared/broker/node-kinds.ts";
import { nodePort } from "./shared/broker/node-port.ts";
import { retryUnstarted } from "./shared/broker/retry-unstarted.ts";
import { runTasksBeforeStop, stopOnSignal } from "./shared/broker/shutdown.ts";
import { tracingTo } from "./shared/broker/tracing.ts";
import {
  bindConfig,
  type Config,
  configureRunner,
  findUnknownVariables,
  loadConfig,
} from "./shared/config.ts";
import { cacheCompiledCode, flushCompiledCode, version } from "./shared/process.ts";

/** Every setting of a node's broker. */
export function brokerOptions(config: Config): BrokerOptions {
  return {
    namespace: "vrs",
    nodeID: nodeIdFor(config.services, natsUser(config.nats)),
    metadata: {
      version,
      startedAt: new Date().toISOString(),
      // What the queue's windows are sized by.
      renderConcurrency: config.services.includes("renderer") ? config.renderConcurrency : 0,
    },
    logger: {
      type: "Pino",
      options: { level: config.logLevel, pino: { options: { serializers: { err: logError } } } },
    },
    // Longer than the slowest action (a submission of 2,000 screenshots on a busy laptop), shorter than a client's patience.
    requestTimeout: 30_000,
    retryPolicy: RETRIES,
    // For each action and event of a node: more at once than the database has connections, and more waiting than
    // clients submit in one go. What is too much then is asked of another node, or a little later.
    bulkhead: { enabled: true, concurrency: 50, maxQueueSize: 2_000 },
    // A request in flight is answered before the node leaves.
    tracking: { enabled: true, shutdownTimeout: 6_000 },
    metrics: { enabled: true, reporter: [prometheusReporter()] },
    tracing: tracingTo(config.zipkinEndpoint),
    // Contracts are checked at the edge and by the compiler.
    validator: false,
    middlewares: middlewares(config),
    ...(config.nats && cluster(config.nats)),
    // The runner's way, below: not that of brokers which a test makes and unmakes.
    skipProcessEventRegistration: true,
    created(broker) {
      bindConfig(broker, config);
      // Before what Moleculer itself does then, which takes the last ones first.
      broker.middlewares.add(runTasksBeforeStop());
    },
  };
}

function middlewares({ metricsPort, metricsHost, nats }: Config): Middleware[] {
  const list = [retryUnstarted(), logRuns()];
  if (metricsPort !== null) list.push(nodePort(metricsPort, metricsHost));
  // A message is 1 MB at most by NATS' default, and a submission may be as much.
  if (nats) list.push(busCompression("16kb"), remoteTimeout(), restrictWorkers());
  return list;
}

/** Some seven seconds in all, for what went wrong in the middle: its node went away, or lacks something for now. */
const RETRIES = {
  enabled: true,
  retries: 7,
  delay: 100,
  factor: 2,
  maxDelay: 2_000,
  check: mayPass,
} satisfies BrokerOptions["retryPolicy"];

/** A node tells what it has that many ms after it starts; Moleculer's types do not know of it. */
const ANNOUNCEMENTS: object = { serviceChangedDebounceTime: 100 };

/** What a node needs beside the others on one bus. */
function cluster(servers: string[]): BrokerOptions {
  return {
    transporter: new NatsTransporter({ ...natsServers(servers), name: "vrs bus" }),
    // A node that died is noticed after 7 to 14 seconds: it is looked for as often as it may be silent.
    heartbeatInterval: 3,
    heartbeatTimeout: 7,
    transit: ANNOUNCEMENTS,
    // A node that lets most requests for something wait for nothing is not asked for a while. A few do not count.
    circuitBreaker: {
      enabled: true,
      threshold: 0.5,
      minRequestCount: 20,
      windowTime: 60,
      halfOpenTime: 5_000,
      check: isNodeFailure,
    },
  };
}

/** What the runner calls: reads the environment and names the services that this node loads. */
export default function nodeConfig(): BrokerOptions {
  const config = loadConfig();
  const unknown = findUnknownVariables();
  cacheCompiledCode(config.cacheDir);
  const options = brokerOptions(config);
  const folders = config.services.map(name => join(import.meta.dirname, "services", name));
  configureRunner(folders, Object.keys(options));
  return {
    ...options,
    created(broker) {
      options.created?.(broker);
      for (const message of unknown) broker.logger.warn(message);
      stopOnSignal(broker);
    },
    started() {
      flushCompiledCode();
      printAddress(config);
    },
  };
}

/** Written past the log, for the person who started it. */
function printAddress({ baseUrl, services }: Config): void {
  if (services.includes("gateway")) process.stdout.write(`\n  vrs is at ${baseUrl}\n\n`);
}
