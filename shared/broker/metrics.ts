import { type MetricRegistry, MetricReporters, type ServiceBroker } from "moleculer";

/** Moleculer's Prometheus reporter without its own HTTP server: the gateway answers `/metrics` itself. */
class PrometheusText extends MetricReporters.Prometheus {
  override init(registry: MetricRegistry): void {
    MetricReporters.Base.prototype.init.call(this, registry);
  }

  override async stop(): Promise<void> {}
}

/** The reporter for the broker's options; their types know only reporters by name. */
export function prometheusReporter(): MetricRegistry.MetricsReporter {
  // biome-ignore lint/plugin: the options' types know only the reporters that come with Moleculer.
  return new PrometheusText() as unknown as MetricRegistry.MetricsReporter;
}

/** This node's metrics in Prometheus' text format; empty when the broker keeps none. */
export function prometheusText(broker: ServiceBroker): string {
  const reporters: unknown[] = broker.metrics.reporter ?? [];
  const reporter = reporters.find(candidate => candidate instanceof PrometheusText);
  return reporter ? reporter.generatePrometheusResponse() : "";
}
