import type { Service, ServiceBroker, ServiceSchema } from "moleculer";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import type { WorkQueue } from "../shared/contracts/work-queue.ts";
import { InProcessQueue } from "./in-process-queue.ts";
import { JetStreamQueue } from "./jetstream-queue.ts";
import { reportQueues } from "./queue-metrics.ts";

/** What the mixin gives its service. */
export interface WithQueue {
  queue: WorkQueue;
}

/** One a node: its services share it. */
const queues = new WeakMap<ServiceBroker, InProcessQueue | JetStreamQueue>();

/** Gives a service the node's work queue. A node of a cluster starts when the cluster's queue is there. */
export function workQueue(): Partial<ServiceSchema> {
  return mixin<WithQueue & Service>({
    created() {
      const queue = queues.get(this.broker) ?? makeQueue(this.broker);
      queues.set(this.broker, queue);
      this.queue = queue;
    },
    async started() {
      if (this.queue instanceof JetStreamQueue) await this.queue.start();
      reportQueues(this.broker, this.queue);
    },
    stopped() {
      return this.queue.stop();
    },
  });
}

function makeQueue(broker: ServiceBroker): InProcessQueue | JetStreamQueue {
  const { nats, natsReplicas } = configOf(broker);
  if (!nats) return new InProcessQueue();
  return new JetStreamQueue({
    addresses: nats,
    replicas: natsReplicas,
    name: broker.nodeID,
    log: broker.getLogger("queue"),
  });
}
