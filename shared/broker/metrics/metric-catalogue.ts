import type { MetricRegistry } from "moleculer";
import { METRIC_TEXTS } from "../texts.ts";

/** Upper bounds of requests, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Upper bounds of captures and comparisons, in seconds. */
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120];

/**
 * The service's own metrics. Names follow Prometheus's conventions: counters end in `total`, and units are a suffix.
 * Dots are underscores in Prometheus's format.
 */
export const METRICS = {
  httpRequests: counter("vrs.http.requests.total", METRIC_TEXTS.httpRequests, ["method", "route", "status"]),
  httpSeconds: histogram("vrs.http.request.duration.seconds", METRIC_TEXTS.httpSeconds, REQUEST_SECONDS, [
    "method",
    "route",
  ]),
  runsEnded: counter("vrs.runs.ended.total", METRIC_TEXTS.runsEnded, ["outcome"]),
  queueWaiting: gauge("vrs.queue.waiting", METRIC_TEXTS.waiting, ["queue"]),
  queueUnderWay: gauge("vrs.queue.underway", METRIC_TEXTS.running, ["queue"]),
  queueOldestSeconds: gauge("vrs.queue.oldest.seconds", METRIC_TEXTS.oldest, ["queue"]),
  rendererBusy: gauge("vrs.renderer.pages.busy", METRIC_TEXTS.busy),
  rendererCapacity: gauge("vrs.renderer.pages.capacity", METRIC_TEXTS.capacity),
  rendererFailures: counter("vrs.renderer.failures.total", METRIC_TEXTS.failures),
  captures: counter("vrs.screenshots.captured.total", METRIC_TEXTS.captures, ["stable"]),
  captureAttempts: histogram("vrs.screenshot.attempts", METRIC_TEXTS.attempts, [1, 2, 3, 4, 5, 6, 7, 8]),
  captureSeconds: histogram("vrs.capture.duration.seconds", METRIC_TEXTS.captureSeconds, WORK_SECONDS),
  compareSeconds: histogram("vrs.comparison.duration.seconds", METRIC_TEXTS.compareSeconds, WORK_SECONDS),
  monitorsOverdueSeconds: gauge("vrs.monitors.overdue.seconds", METRIC_TEXTS.monitorsOverdue),
} as const;

/** A metric of the service. */
interface Metric {
  name: string;
  labelNames: readonly string[];
  register(registry: MetricRegistry): void;
}

/** Registers metrics of a node. Registering one again would reset it. */
export function registerMetrics(registry: MetricRegistry, metrics: readonly Metric[]): void {
  for (const metric of metrics) metric.register(registry);
}

function gauge(name: string, description: string, labelNames: string[] = []): Metric {
  const options = { name, description, labelNames };
  return { name, labelNames, register: registry => void registry.register({ type: "gauge", ...options }) };
}

function counter(name: string, description: string, labelNames: string[] = []): Metric {
  const options = { name, description, labelNames };
  const register = (registry: MetricRegistry) => {
    registry.register({ type: "counter", ...options });
    // Otherwise it is missing until it counts, and alerts can't tell "none" from "unknown".
    if (labelNames.length === 0) registry.increment(name, undefined, 0);
  };
  return { name, labelNames, register };
}

/** @param buckets upper bounds */
function histogram(name: string, description: string, buckets: number[], labelNames: string[] = []): Metric {
  const options = { name, description, labelNames, buckets };
  return {
    name,
    labelNames,
    register: registry => void registry.register({ type: "histogram", ...options }),
  };
}
