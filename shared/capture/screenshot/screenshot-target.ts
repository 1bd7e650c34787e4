import type { ScreenshotStep, Step } from "../../contracts/capture/steps.ts";
import type { VisitRequest } from "../capture-types.ts";
import { STEP_TIMEOUT_MS } from "../steps/run-step.ts";
import type { ImageTarget } from "./capture-image.ts";

/** Returns what a step captures of the page. */
export function targetOf(
  step: ScreenshotStep,
  { options, ignoreSelectors = [], story }: VisitRequest,
): ImageTarget {
  const { element, padding, fullPage, timeoutMs = STEP_TIMEOUT_MS } = step;
  return {
    ...options,
    ignoreSelectors,
    isStory: story !== undefined,
    ...(element !== undefined && { element }),
    ...(padding !== undefined && { padding }),
    ...(fullPage !== undefined && { fullPage }),
    timeoutMs,
  };
}

/** Returns the step that captures a state. */
export function screenshotOf(steps: readonly Step[], state: string | null): ScreenshotStep {
  const step = steps.find(each => each.action === "screenshot" && (each.name ?? null) === state);
  return step?.action === "screenshot" ? step : { action: "screenshot" };
}
