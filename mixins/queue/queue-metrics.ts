import type { ServiceBroker } from "moleculer";
import { METRICS, registerMetrics } from "../../shared/broker/metrics/metric-catalogue.ts";
import type { WorkQueue } from "../../shared/contracts/work-queue.ts";
import { JOB_MESSAGES } from "../texts.ts";

/** About as often as metrics are read. */
const REPORT_INTERVAL_MS = 10_000;

const reported = new WeakSet<WorkQueue>();

/** Updates the node's gauges of the queues' load until the node stops. The load is that of all nodes. */
export function reportQueues(broker: ServiceBroker, queue: WorkQueue): void {
  if (reported.has(queue)) return;
  reported.add(queue);
  const { queueWaiting, queueUnderWay, queueOldestSeconds } = METRICS;
  registerMetrics(broker.metrics, [queueWaiting, queueUnderWay, queueOldestSeconds]);
  let isMeasuring = false;
  const report = async () => {
    // If the queue is unavailable, the response is late, and the gauges keep their last values.
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
    metrics.set(METRICS.queueWaiting.name, load.waiting, labels);
    metrics.set(METRICS.queueUnderWay.name, load.underWay, labels);
    metrics.set(METRICS.queueOldestSeconds.name, ageMs / 1_000, labels);
  }
}
