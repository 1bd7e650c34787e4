import type { Service, ServiceBroker, ServiceSchema } from "moleculer";
import { isWorker } from "../shared/broker/node-kinds.ts";
import { tracerOf } from "../shared/broker/tracing.ts";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import type { WorkQueue } from "../shared/contracts/work-queue.ts";
import { InProcessQueue } from "./queue/in-process-queue.ts";
import { JetStreamQueue } from "./queue/jetstream-queue.ts";
import { reportQueues } from "./queue/queue-metrics.ts";

/** What the mixin adds to its service. */
export interface WithQueue {
  queue: WorkQueue;
}

/** One queue per node, shared by its services. */
const queues = new WeakMap<ServiceBroker, { queue: InProcessQueue | JetStreamQueue; users: number }>();

/** Adds the node's work queue to a service. A node of a cluster starts once the cluster's queue is there. */
export function workQueue(): Partial<ServiceSchema> {
  return mixin<WithQueue & Service>({
    created() {
      const shared = queues.get(this.broker) ?? { queue: makeQueue(this.broker), users: 0 };
      queues.set(this.broker, shared);
      shared.users += 1;
      this.queue = shared.queue;
    },
    async started() {
      if (this.queue instanceof JetStreamQueue) await this.queue.start();
      reportQueues(this.broker, this.queue);
    },
    async stopped() {
      await this.queue.stop();
      const shared = queues.get(this.broker);
      if (!shared) return;
      shared.users -= 1;
      // A service that finishes its last requests may still queue jobs.
      if (shared.users === 0 && shared.queue instanceof JetStreamQueue) await shared.queue.close();
    },
  });
}

function makeQueue(broker: ServiceBroker): InProcessQueue | JetStreamQueue {
  const { nats, natsReplicas, services } = configOf(broker);
  const tracer = tracerOf(broker);
  if (!nats) return new InProcessQueue({ tracer });
  return new JetStreamQueue({
    addresses: nats,
    replicas: natsReplicas,
    name: broker.nodeID,
    isWorker: isWorker(services),
    log: broker.getLogger("queue"),
    tracer,
  });
}
