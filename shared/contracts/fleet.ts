import { z } from "zod";
import type { SandboxState } from "../capture/capture-types.ts";
import { time } from "./fields.ts";
import { JOB_NAMES } from "./jobs.ts";

const SANDBOX_STATES = ["unknown", "on", "off", "refused"] as const satisfies SandboxState[];

const fleetNode = z.object({
  id: z.string(),
  hostname: z.string(),
  services: z.array(z.string()),
  version: z.string().nullable(),
  startedAt: time.nullable(),
  lastSeenAt: time.describe("When it last said that it lives"),
  cpuPercent: z.number().nullable().describe("Of its machine; null until it told"),
  memoryBytes: z.int().nullable().describe("Of its process; null when it does not answer"),
  rendering: z
    .object({
      busy: z.int().describe("Routes that it renders now"),
      capacity: z.int().describe("Routes that it renders at once"),
      failures: z.int().describe("Screenshots that failed there since it started"),
      sandbox: z
        .enum(SANDBOX_STATES)
        .describe(
          "Whether its browser runs in Chromium's sandbox: `on`; `off`; `refused` where it can't and may not render without; `unknown` until it starts a browser",
        ),
    })
    .nullable()
    .describe("Of a node with the service renderer; null when it does not answer"),
});

const queueOfFleet = z.object({
  queue: z.enum(JOB_NAMES),
  waiting: z.int(),
  underWay: z.int(),
  oldestAt: time.nullable().describe("When the oldest job that is still there was queued"),
});

const recentFailure = z.object({
  at: time.describe("When it was tried last"),
  runId: z.string(),
  screenshotId: z.string(),
  route: z.string(),
  viewport: z.int().describe("Width, px"),
  error: z.string().nullable(),
});

/** Answer of `GET /v1/admin/nodes`. */
export const fleet = z.object({
  data: z.array(fleetNode),
  queues: z.array(queueOfFleet).nullable().describe("Null while no node with the service runs answers"),
  recentFailures: z
    .array(recentFailure)
    .nullable()
    .describe("The last 20, of any team; null while no node with the service runs answers"),
});

export type Fleet = z.infer<typeof fleet>;
export type FleetNode = z.infer<typeof fleetNode>;
/** What the runs service knows of the fleet. */
export type FleetWork = { [K in "queues" | "recentFailures"]: NonNullable<Fleet[K]> };
/** What a renderer tells of itself. */
export type RenderLoad = NonNullable<FleetNode["rendering"]>;
