import type { ServiceSchema } from "moleculer";
import { mixin } from "../shared/contracts/bus.ts";
import type { WorkQueue } from "../shared/contracts/work-queue.ts";
import { InProcessQueue } from "./in-process-queue.ts";

/** What the mixin gives its service. */
export interface WithQueue {
  queue: WorkQueue;
}

const queues = new WeakMap<object, InProcessQueue>();

/** Gives a service the node's work queue. */
export function workQueue(): Partial<ServiceSchema> {
  return mixin<WithQueue & { broker: object }>({
    created() {
      const queue = queues.get(this.broker) ?? new InProcessQueue();
      queues.set(this.broker, queue);
      this.queue = queue;
    },
    stopped() {
      return this.queue.stop();
    },
  });
}
