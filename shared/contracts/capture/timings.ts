/** The steps of a capture whose time is recorded. */
export type CaptureStep =
  | "prepare"
  | "load"
  | "response"
  | "story"
  | "settle"
  | "steps"
  | "screenshot"
  | "unfreeze"
  | "capsule"
  | "compareTakes"
  | "nameMoving";

/** Times that are part of another step: the response is a part of the load. */
const PART_OF_OTHERS: ReadonlySet<string> = new Set(["response"]);

/** Returns how long a capture took, from the durations of its steps in ms. */
export function sumTimings(timings: Record<string, number>): number {
  const steps = Object.entries(timings).filter(([step]) => !PART_OF_OTHERS.has(step));
  return steps.reduce((sum, [, ms]) => sum + ms, 0);
}
