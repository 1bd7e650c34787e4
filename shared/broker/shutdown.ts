import type { Middleware, ServiceBroker } from "moleculer";
import { onSignals } from "../process.ts";
import { LOG_MESSAGES } from "./texts.ts";

type Task = () => Promise<void> | void;

const tasks = new WeakMap<ServiceBroker, Task[]>();

/** Registers a task for the node's stop. It runs before any of the node's services stops. */
export function beforeStop(broker: ServiceBroker, task: Task): void {
  tasks.set(broker, [...(tasks.get(broker) ?? []), task]);
}

/** Middleware that runs the tasks of `beforeStop`. */
export function runTasksBeforeStop(): Middleware {
  return {
    name: "BeforeStop",
    async stopping(broker) {
      await Promise.all((tasks.get(broker) ?? []).map(async task => task()));
    },
  };
}

/** Less than supervisors wait before they kill (Kubernetes: 30 s), and more than a node's longest cleanup takes. */
const STOP_TIMEOUT_MS = 20_000;

/** Stops the node gracefully at the first SIGTERM or SIGINT, and ends the process at the second. */
export function stopOnSignal(broker: ServiceBroker): void {
  onSignals(process, ["SIGTERM", "SIGINT"], {
    first() {
      setTimeout(() => {
        broker.logger.error(LOG_MESSAGES.notStopped(STOP_TIMEOUT_MS / 1_000));
        process.exit(1);
      }, STOP_TIMEOUT_MS);
      void broker.stop().then(() => process.exit(0));
    },
    again: () => process.exit(1),
  });
}
