import { z } from "zod";
import type { SandboxState } from "../capture/capture-types.ts";
import { pageFields } from "./capture/page-fields.ts";
import { RENDERING_PARTS, renderingFingerprint } from "./capture/rendering.ts";
import { time } from "./fields.ts";
import { JOB_NAMES } from "./runs/jobs.ts";

const SANDBOX_STATES = ["unknown", "on", "off", "refused"] as const satisfies SandboxState[];

const fleetNode = z.object({
  id: z.string(),
  hostname: z.string(),
  services: z.array(z.string()),
  version: z.string().nullable(),
  startedAt: time.nullable(),
  region: z.string().nullable().default(null).describe("Region of a renderer node. Null without one"),
  lastSeenAt: time.describe("Time of the last heartbeat"),
  cpuPercent: z.number().nullable().describe("CPU usage of the machine. Null until the node reports it"),
  memoryBytes: z.int().nullable().describe("Memory usage of the process. Null if the node does not respond"),
  rendering: z
    .object({
      busy: z.int().describe("Routes that the node renders now"),
      capacity: z.int().describe("Routes that the node can render concurrently"),
      failures: z.int().describe("Screenshots that failed on this node since it started"),
      sandbox: z
        .enum(SANDBOX_STATES)
        .describe(
          "State of Chromium's sandbox. `refused`: the sandbox can't start, and the node must not render without it. `unknown`: no browser has started yet",
        ),
    })
    .nullable()
    .describe("Null if the node does not run the `renderer` service or does not respond"),
  fingerprint: renderingFingerprint
    .nullable()
    .describe(
      "How the node's browser renders. Null if the node does not render or has not started a browser yet",
    ),
});

const fleetFailure = z.object({
  code: z.enum(["mixed_renderers", "no_renderer"]),
  message: z.string().describe("What is wrong, and what to do"),
  differs: z
    .array(z.enum(RENDERING_PARTS))
    .describe("Properties that differ between the renderers. Empty for `no_renderer`"),
  groups: z
    .array(z.object({ rendering: z.string(), nodes: z.array(z.string()) }))
    .describe("Nodes that render identically, by fingerprint, largest group first"),
});

const queueOfFleet = z.object({
  queue: z.enum(JOB_NAMES),
  waiting: z.int(),
  underWay: z.int(),
  oldestAt: time.nullable().describe("When the oldest queued or running job was queued"),
});

const recentFailure = z.object({
  at: time.describe("Time of the last attempt"),
  runId: z.string(),
  screenshotId: z.string(),
  ...pageFields,
  error: z.string().nullable(),
});

/** Response of `GET /v1/admin/nodes`. */
export const fleet = z.object({
  data: z.array(fleetNode),
  faults: z.array(fleetFailure).describe("Problems of the whole fleet. Empty if there are none"),
  queues: z.array(queueOfFleet).nullable().describe("Null if no node that runs the `runs` service responds"),
  recentFailures: z
    .array(recentFailure)
    .nullable()
    .describe("The latest 20 of all teams. Null if no node that runs the `runs` service responds"),
});

export type Fleet = z.infer<typeof fleet>;
export type FleetNode = z.infer<typeof fleetNode>;
/** The fleet's part that the runs service knows. */
export type FleetWork = { [K in "queues" | "recentFailures"]: NonNullable<Fleet[K]> };
/** The load that a renderer reports. */
export type RenderLoad = NonNullable<FleetNode["rendering"]>;
