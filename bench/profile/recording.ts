import { z } from "zod";

/** A recording of a run. All times are on the machine's monotonic clock, µs. */

const span = z.strictObject({ startUs: z.number(), endUs: z.number() });

/** One screenshot, as the engine captured it. */
const recordedCapture = z.strictObject({
  url: z.string(),
  steps: z.array(span.extend({ step: z.string() })),
  /** Main-frame ids of its page, which identify its thread in the trace. */
  frame: z.string(),
  /** From each request of the page until it ended. */
  requests: z.array(span),
});
export type RecordedCapture = z.infer<typeof recordedCapture>;

/** The used parts of V8's CPU profile. */
const cpuProfile = z.object({
  startTime: z.number(),
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.infer<typeof cpuProfile>;

/** What the service's process recorded. */
export const recording = z.strictObject({
  captures: z.array(recordedCapture),
  profile: cpuProfile,
});
export type Recording = z.infer<typeof recording>;

/**
 * An event of Chromium's trace: `X` for one with a duration, `M` for the name of a process or thread. Times are in µs.
 */
export const traceEvent = z.object({
  name: z.string(),
  ph: z.enum(["X", "M"]),
  ts: z.number(),
  dur: z.number().optional(),
  /** Processor time, µs. */
  tdur: z.number().optional(),
  pid: z.number(),
  tid: z.number(),
  args: z.record(z.string(), z.unknown()).default({}),
});
export type TraceEvent = z.infer<typeof traceEvent>;
