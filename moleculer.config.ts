import { join } from "node:path";
import type { BrokerOptions, Middleware } from "moleculer";
import { natsServers, natsUser } from "./mixins/queue/nats-servers.ts";
import { busCompression } from "./shared/broker/bus-compression.ts";
import { isNodeFailure, isTemporary } from "./shared/broker/bus-errors.ts";
import { remoteTimeout } from "./shared/broker/bus-middlewares.ts";
import { contractVersions } from "./shared/broker/contract-versions.ts";
import { logError } from "./shared/broker/log-error.ts";
import { logRuns } from "./shared/broker/log-runs.ts";
import { NatsTransporter } from "./shared/broker/nats-transporter.ts";
import { nodeIdFor, restrictWorkers } from "./shared/broker/node-kinds.ts";
import { nodePort } from "./shared/broker/node-port.ts";
import { retryUnstarted } from "./shared/broker/retry-unstarted.ts";
import { runTasksBeforeStop, stopOnSignal } from "./shared/broker/shutdown.ts";
import { tracingTo } from "./shared/broker/tracing.ts";
import { TracedContext, workScopes } from "./shared/broker/work-scopes.ts";
import {
  bindConfig,
  type Config,
  configureRunner,
  findUnknownVariables,
  loadConfig,
} from "./shared/config.ts";
import { cacheCompiledCode, flushCompiledCode, version } from "./shared/process.ts";
import { scopeFields } from "./shared/tracing/work-scope.ts";

/** Returns every setting of a node's broker. */
export function brokerOptions(config: Config): BrokerOptions {
  return {
    namespace: "vrs",
    nodeID: nodeIdFor(config.services, natsUser(config.nats)),
    metadata: {
      version,
      startedAt: new Date().toISOString(),
      // The queue's windows depend on it.
      region: config.region,
      renderConcurrency: config.services.includes("renderer") ? config.renderConcurrency : 0,
    },
    logger: {
      type: "Pino",
      options: {
        level: config.logLevel,
        pino: { options: { serializers: { err: logError }, mixin: scopeFields } },
      },
    },
    // Longer than the slowest action (a submission of 2,000 screenshots on a busy laptop), and shorter than
    // clients' timeouts.
    requestTimeout: 30_000,
    retryPolicy: RETRIES,
    // Per action and event of a node: more concurrency than the database has connections, and more waiting
    // requests than clients send at the same time. The rest is retried on another node, or later.
    bulkhead: { enabled: true, concurrency: 50, maxQueueSize: 2_000 },
    // A running request is finished before the node stops.
    tracking: { enabled: true, shutdownTimeout: 6_000 },
    metrics: { enabled: true },
    tracing: tracingTo(config.zipkinEndpoint),
    ContextFactory: TracedContext,
    // The edge and the compiler check contracts.
    validator: false,
    middlewares: middlewares(config),
    ...(config.nats && cluster(config.nats)),
    // The runner handles signals, below. Brokers of tests must not.
    skipProcessEventRegistration: true,
    created(broker) {
      bindConfig(broker, config);
      // Before Moleculer's own middlewares, which run in reverse order at the stop.
      broker.middlewares.add(runTasksBeforeStop());
    },
  };
}

function middlewares({ metricsPort, metricsHost, nats }: Config): Middleware[] {
  const list = [workScopes(), retryUnstarted(), logRuns()];
  if (metricsPort !== null) list.push(nodePort(metricsPort, metricsHost));
  // NATS allows messages of 1 MB by default, and a submission may be that large.
  if (nats) list.push(busCompression(), remoteTimeout(), contractVersions(), restrictWorkers());
  return list;
}

/**
 * About seven seconds in total, for calls that failed after their start: the node went away, or lacks a
 * resource for now.
 */
const RETRIES = {
  enabled: true,
  retries: 7,
  delay: 100,
  factor: 2,
  maxDelay: 2_000,
  check: isTemporary,
} satisfies BrokerOptions["retryPolicy"];

/** Delay of a node's announcement after its start, in ms. Moleculer's types don't know the option. */
const ANNOUNCEMENTS: object = { serviceChangedDebounceTime: 100 };

/** Returns the settings of a node in a fleet. */
function cluster(servers: string[]): BrokerOptions {
  return {
    transporter: new NatsTransporter({ ...natsServers(servers), name: "vrs bus" }),
    // A dead node is noticed after 7 to 14 seconds. Checks run as often as the allowed silence.
    heartbeatInterval: 3,
    heartbeatTimeout: 7,
    transit: ANNOUNCEMENTS,
    // A node that lets most requests time out gets none for a while. A few timeouts don't count.
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

/** Reads the environment and names the services that this node loads. Moleculer's runner calls it. */
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

/** Prints the address outside the log, for the person who started the node. */
function printAddress({ baseUrl, services }: Config): void {
  if (services.includes("gateway")) process.stdout.write(`\n  vrs is at ${baseUrl}\n\n`);
}
