import type { StepResult } from "../../contracts/capture/step-result.ts";
import type { Step } from "../../contracts/capture/steps.ts";
import { CaptureError } from "../capture-types.ts";
import { STEP_ERRORS } from "../texts.ts";

/** The steps of one load of a page, as far as it got. */
export class LoadProgress {
  /** Steps that have run, also one that failed. */
  readonly #acted: Step[] = [];
  readonly #results: StepResult[] = [];
  #running: { name: string; startedAt: number } | null = null;

  /** Name of the step that runs. Null between steps. */
  get running(): string | null {
    return this.#running?.name ?? null;
  }

  /** The results of the steps that are done. */
  get results(): StepResult[] {
    return [...this.#results];
  }

  /** Whether a step has acted on the page. */
  get hasActed(): boolean {
    return this.#acted.length > 0;
  }

  start(step: Step, name: string): void {
    this.#running = { name, startedAt: performance.now() };
    this.#acted.push(step);
  }

  finish(): void {
    this.#results.push(...this.#resultOfRunning("done"));
    this.#running = null;
  }

  /** Forgets the step that runs, which failed. */
  abandon(): void {
    this.#running = null;
  }

  /** Returns the results, with the step that runs as failed. */
  untilFailure(): StepResult[] {
    return [...this.#results, ...this.#resultOfRunning("failed")];
  }

  /** Returns the last step that did more than wait. */
  lastAction(): Step | undefined {
    return this.#acted.findLast(({ action }) => action !== "waitFor");
  }

  /** Returns the error of a visit that took too long, with the step that used up its time. */
  inStep(error: CaptureError, captureMs: number): CaptureError {
    const { running } = this;
    if (error.code !== "timeout" || running === null) return error;
    return new CaptureError("step_failed", STEP_ERRORS.overtime(running, captureMs / 1000));
  }

  #resultOfRunning(outcome: StepResult["outcome"]): StepResult[] {
    if (this.#running === null) return [];
    const { name, startedAt } = this.#running;
    return [{ name, ms: Math.round(performance.now() - startedAt), outcome }];
  }
}
