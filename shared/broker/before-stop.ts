import type { Middleware, ServiceBroker } from "moleculer";

type Task = () => Promise<void> | void;

const tasks = new WeakMap<ServiceBroker, Task[]>();

/** Has something done when the node stops, while all of its services still work: they are stopped at once after that. */
export function beforeStop(broker: ServiceBroker, task: Task): void {
  tasks.set(broker, [...(tasks.get(broker) ?? []), task]);
}

/** Middleware that does it. */
export function doBeforeStop(): Middleware {
  return {
    name: "BeforeStop",
    async stopping(broker) {
      await Promise.all((tasks.get(broker) ?? []).map(async task => task()));
    },
  };
}
