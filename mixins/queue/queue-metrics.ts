import type { ServiceBroker } from "moleculer";
import type { WorkQueue } from "../../shared/contracts/work-queue.ts";
import { JOB_MESSAGES, METRIC_TEXTS } from "../texts.ts";

/** As often as metrics are read, nearly. */
const REPORT_INTERVAL_MS = 10_000;

const WAITING = "vrs.queue.waiting";
const UNDER_WAY = "vrs.queue.underway";
const OLDEST = "vrs.queue.oldest.seconds";

const reported = new WeakSet<WorkQueue>();

/** Keeps the node's gauges of how full the queues are, on all nodes together, from now on until the node stops. */
export function reportQueues(broker: ServiceBroker, queue: WorkQueue): void {
  if (reported.has(queue)) return;
  reported.add(queue);
  const labelNames = ["queue"];
  broker.metrics.register({ type: "gauge", name: WAITING, labelNames, description: METRIC_TEXTS.waiting });
  broker.metrics.register({ type: "gauge", name: UNDER_WAY, labelNames, description: METRIC_TEXTS.running });
  broker.metrics.register({
    type: "gauge",
    name: OLDEST,
    labelNames,
    description: METRIC_TEXTS.oldest,
  });
  let isMeasuring = false;
  const report = async () => {
    // While the queue is away the answer is late, and the gauges keep what was known last.
    if (isMeasuring) return;
    isMeasuring = true;
    await write(broker, queue).catch(error => broker.logger.debug(JOB_MESSAGES.notMeasured, error));
    isMeasuring = false;
  };
  void report();
  const timer = setInterval(report, REPORT_INTERVAL_MS);
  timer.unref();
  broker.localBus.once("$broker.stopped", () => clearInterval(timer));
}

async function write({ metrics }: ServiceBroker, queue: WorkQueue): Promise<void> {
  for (const load of await queue.load()) {
    const labels = { queue: load.queue };
    const ageMs = load.oldestAt === null ? 0 : Math.max(0, Date.now() - load.oldestAt.getTime());
    metrics.set(WAITING, load.waiting, labels);
    metrics.set(UNDER_WAY, load.underWay, labels);
    metrics.set(OLDEST, ageMs / 1_000, labels);
  }
}
