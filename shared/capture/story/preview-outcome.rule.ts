import { type Capture, CaptureError } from "../capture-types.ts";

/**
 * Returns whether the outcome of a preview counts without the story's own page. Only the baseline does: an earlier
 * story may be the cause of a failure, and of an image that nothing has confirmed.
 */
export function countsAlone(outcome: Pick<Capture, "stable"> | CaptureError | null): boolean {
  return outcome !== null && !(outcome instanceof CaptureError) && outcome.stable;
}
