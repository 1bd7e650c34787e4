import type { MetricRegistry } from "moleculer";
import type { SandboxState } from "../capture/capture-types.ts";
import type { RenderLoad } from "../contracts/fleet.ts";
import { METRIC_TEXTS } from "./texts.ts";

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
    metrics.register({ type: "gauge", name: "vrs.renderer.pages.busy", description: METRIC_TEXTS.busy });
    metrics.register({
      type: "gauge",
      name: "vrs.renderer.pages.capacity",
      description: METRIC_TEXTS.capacity,
    });
    metrics.register({
      type: "counter",
      name: "vrs.renderer.failures",
      description: METRIC_TEXTS.failures,
    });
    metrics.set("vrs.renderer.pages.busy", 0);
    metrics.set("vrs.renderer.pages.capacity", capacity);
  }

  /** Counts a route as busy while this runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#metrics.set("vrs.renderer.pages.busy", ++this.#busy);
    try {
      return await work();
    } finally {
      this.#metrics.set("vrs.renderer.pages.busy", --this.#busy);
    }
  }

  /** Counts a failed screenshot. */
  failed(): void {
    this.#failures += 1;
    this.#metrics.increment("vrs.renderer.failures");
  }

  now(): RenderLoad {
    return { busy: this.#busy, capacity: this.#capacity, failures: this.#failures, sandbox: this.#sandbox() };
  }
}
