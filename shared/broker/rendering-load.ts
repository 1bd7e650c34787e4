import type { MetricRegistry } from "moleculer";
import type { SandboxState } from "../capture/capture-types.ts";
import type { RenderLoad } from "../contracts/fleet.ts";
import { METRICS, registerMetrics } from "./metrics/metric-catalogue.ts";

/** The load of a renderer, for its metrics and for requests. */
export class RenderingLoad {
  readonly #metrics: MetricRegistry;
  readonly #capacity: number;
  #busy = 0;
  #failures = 0;
  readonly #sandbox: () => SandboxState;

  /**
   * @param capacity routes that it can render concurrently @param sandbox returns the state of its browser's
   * sandbox
   */
  constructor(metrics: MetricRegistry, capacity: number, sandbox: () => SandboxState) {
    this.#sandbox = sandbox;
    this.#metrics = metrics;
    this.#capacity = capacity;
    const { rendererBusy, rendererCapacity, rendererFailures, captureSeconds } = METRICS;
    registerMetrics(metrics, [rendererBusy, rendererCapacity, rendererFailures, captureSeconds]);
    metrics.set(METRICS.rendererBusy.name, 0);
    metrics.set(METRICS.rendererCapacity.name, capacity);
  }

  /** Counts a route as busy while this runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#metrics.set(METRICS.rendererBusy.name, ++this.#busy);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#metrics.observe(METRICS.captureSeconds.name, (performance.now() - startedAt) / 1_000);
      this.#metrics.set(METRICS.rendererBusy.name, --this.#busy);
    }
  }

  /** Counts a failed screenshot. */
  failed(): void {
    this.#failures += 1;
    this.#metrics.increment(METRICS.rendererFailures.name);
  }

  now(): RenderLoad {
    return { busy: this.#busy, capacity: this.#capacity, failures: this.#failures, sandbox: this.#sandbox() };
  }
}
