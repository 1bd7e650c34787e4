import type { ServiceBroker } from "moleculer";

/** A value of a metric. Counters and gauges have one, histograms a sum. */
interface Sample {
  labels: Record<string, unknown>;
  value?: unknown;
  sum?: number;
  count?: number;
  /** By upper bound, each including the lower ones. */
  buckets?: Record<string, number>;
  quantiles?: Record<string, number>;
}

/** A metric as the bus keeps it. */
interface Metric {
  type: string;
  name: string;
  description?: string;
  unit?: string;
  snapshot(): Sample[];
}

/** Prometheus's base units, and how many of them the bus's unit is. */
const BASE_UNITS: Record<string, { suffix: string; factor: number }> = {
  millisecond: { suffix: "_seconds", factor: 0.001 },
  second: { suffix: "_seconds", factor: 1 },
  byte: { suffix: "_bytes", factor: 1 },
};
/**
 * Start of the names that are left out: times, which have a new label value at each reading, and what only an attacker
 * needs, such as command lines, accounts, home folders and network cards.
 */
const OMITTED = ["os.datetime", "os.user", "os.network.mac", "process.arguments"];

/**
 * Returns this node's metrics in Prometheus's text format, named by its conventions: base units as a suffix, then
 * `_total` for counters and nothing else. Moleculer's own reporter follows neither, and leaves out sums of histograms.
 */
export function prometheusText({ metrics }: ServiceBroker): string {
  const all: Metric[] = [...(metrics.store?.values() ?? [])];
  return all
    .filter(({ name }) => !OMITTED.some(start => name.startsWith(start)))
    .map(metric => ({ metric, samples: metric.snapshot() }))
    .filter(({ samples }) => samples.length > 0)
    .map(({ metric, samples }) => textOf(metric, samples))
    .join("\n");
}

function textOf(metric: Metric, samples: Sample[]): string {
  const { suffix, factor } = BASE_UNITS[metric.unit ?? ""] ?? { suffix: "", factor: 1 };
  const type = typeOf(metric, samples);
  const name = nameOf(metric.name, suffix, type);
  const description = (metric.description || metric.name)
    .replace(" in milliseconds", "")
    .replace(/\\/g, "\\\\")
    .replace(/\n/g, "\\n");
  const lines = samples.flatMap(sample => linesOf(name, metric.type, sample, factor));
  return [`# HELP ${name} ${description}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

/** The bus calls histograms with quantiles and without buckets by the same name. */
function typeOf({ type }: Metric, [first]: Sample[]): string {
  if (type === "info") return "gauge";
  return type === "histogram" && !first?.buckets ? "summary" : type;
}

function nameOf(busName: string, unit: string, type: string): string {
  const plain = busName.replace(/[^a-zA-Z0-9]/g, "_").replace(/_total$/, "");
  const withUnit = plain.endsWith(unit) ? plain : `${plain}${unit}`;
  return type === "counter" ? `${withUnit}_total` : withUnit;
}

function linesOf(name: string, busType: string, sample: Sample, factor: number): string[] {
  const { labels, value, sum = 0, count = 0, buckets, quantiles } = sample;
  const line = (suffix: string, number: unknown, more: Record<string, unknown> = {}) =>
    `${name}${suffix}${labelsOf({ ...labels, ...more })} ${numberOf(number)}`;
  if (busType === "info") return [line("", 1, { value })];
  if (busType !== "histogram") return [line("", scaled(value, factor))];
  const parts = buckets
    ? bucketsOf(buckets, factor, count).map(([le, below]) => line("_bucket", below, { le }))
    : Object.entries(quantiles ?? {}).map(([quantile, at]) => line("", scaled(at, factor), { quantile }));
  return [...parts, line("_sum", sum * factor), line("_count", count)];
}

/** Returns the buckets in the order of their bounds. */
function bucketsOf(buckets: Record<string, number>, factor: number, count: number): [le: string, number][] {
  const bounded = Object.entries(buckets).map(([le, below]): [number, number] => [
    Number(le) * factor,
    below,
  ]);
  const sorted = bounded.toSorted(([a], [b]) => a - b);
  return [...sorted.map(([le, below]): [string, number] => [String(le), below]), ["+Inf", count]];
}

function scaled(value: unknown, factor: number): unknown {
  return typeof value === "number" ? value * factor : value;
}

/** Booleans are 0 and 1. A value that isn't known yet is not a number. */
function numberOf(value: unknown): string {
  return value === null || value === undefined ? "NaN" : String(Number(value));
}

function labelsOf(labels: Record<string, unknown>): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const text = String(value ?? "")
      .replace(/[\\"]/g, "\\$&")
      .replace(/\n/g, "\\n");
    return `${name.replace(/[^a-zA-Z0-9_]/g, "_")}="${text}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
