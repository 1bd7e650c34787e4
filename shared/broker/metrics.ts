import { type MetricRegistry, MetricReporters, type ServiceBroker } from "moleculer";

/** Moleculer's Prometheus reporter without its HTTP server. The gateway serves `/metrics` itself. */
class PrometheusText extends MetricReporters.Prometheus {
  override init(registry: MetricRegistry): void {
    MetricReporters.Base.prototype.init.call(this, registry);
  }

  override async stop(): Promise<void> {}
}

/** Returns the reporter for the broker's options. Their types know only built-in reporters. */
export function prometheusReporter(): MetricRegistry.MetricsReporter {
  // biome-ignore lint/plugin: the options' types know only the reporters that come with Moleculer.
  return new PrometheusText() as unknown as MetricRegistry.MetricsReporter;
}

/** Returns this node's metrics in Prometheus' text format. Empty if the broker has none. */
export function prometheusText(broker: ServiceBroker): string {
  const reporters: unknown[] = broker.metrics.reporter ?? [];
  const reporter = reporters.find(candidate => candidate instanceof PrometheusText);
  return reporter ? reporter.generatePrometheusResponse() : "";
}
