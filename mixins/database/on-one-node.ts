import type { PeriodicTask } from "../../shared/periodic-task.ts";
import { leaseTask } from "./lease-task.ts";
import type { EntityManager } from "./open-schema.ts";

/** Each node waits at least 0.8 of the interval, so a node alone is never too early. */
const SHORTEST_INTERVAL = 0.75;

/**
 * Returns a task that one of all nodes runs in each interval. The first run of a node only has to be later than its start,
 * because it replaces a node whose events got lost.
 * @param table the service's table of tasks, as for `leaseTask`
 */
export function onOneNode(
  em: () => EntityManager,
  { table, name }: { table: string; name: string },
  { work, ...task }: PeriodicTask,
): PeriodicTask {
  let intervalMs = task.firstDelayMs ?? task.intervalMs * SHORTEST_INTERVAL;
  return {
    ...task,
    async work(signal) {
      if (await leaseTask(em(), { table, name, intervalMs })) await work(signal);
      intervalMs = task.intervalMs * SHORTEST_INTERVAL;
    },
  };
}
