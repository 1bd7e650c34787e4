import { z } from "zod";
import { list, listQuery, text, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Bodies and responses of `/v1/maintenance`. */

export const MAINTENANCE_BOUNDS = {
  /** Windows of a team that have not ended. */
  windows: 100,
  monitors: 100,
  minutes: { min: 5, max: 1_440 },
  /** The longest single window. */
  onceDays: 30,
} as const;

export const MAINTENANCE_MODES = ["pause", "quiet"] as const;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const once = z
  .strictObject({ kind: z.literal("once"), from: time, until: time })
  .refine(
    ({ from, until }) => Date.parse(until) - Date.parse(from) >= MAINTENANCE_BOUNDS.minutes.min * MINUTE_MS,
    {
      path: ["until"],
      message: `must be at least ${MAINTENANCE_BOUNDS.minutes.min} minutes after from`,
    },
  )
  .refine(({ from, until }) => Date.parse(until) - Date.parse(from) <= MAINTENANCE_BOUNDS.onceDays * DAY_MS, {
    path: ["until"],
    message: `must be at most ${MAINTENANCE_BOUNDS.onceDays} days after from`,
  });

const weekly = z.strictObject({
  kind: z.literal("weekly"),
  weekdays: z
    .array(z.int().min(0).max(6))
    .min(1)
    .max(7)
    .transform(days => [...new Set(days)].toSorted())
    .describe("0 is Sunday"),
  start: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 02:30")
    .describe("Local time at which it starts. A time that a clock change skips is an hour later"),
  durationMinutes: z.int().min(MAINTENANCE_BOUNDS.minutes.min).max(MAINTENANCE_BOUNDS.minutes.max),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "must be an IANA time zone, such as Europe/Vienna")
    .describe("IANA time zone"),
});

const schedule = z.discriminatedUnion("kind", [once, weekly]);

/** Body of `POST /v1/maintenance`. */
export const createMaintenanceBody = z.strictObject({
  title: text(100),
  monitors: z
    .array(z.string().max(64))
    .min(1)
    .max(MAINTENANCE_BOUNDS.monitors)
    .nullable()
    .default(null)
    .describe("Ids of monitors. Null for all monitors of the team, also later ones"),
  mode: z
    .enum(MAINTENANCE_MODES)
    .default("pause")
    .describe("`pause`: no scheduled checks start. `quiet`: checks go on, without alerts"),
  schedule,
});

export const maintenanceView = z.object({
  id: z.string(),
  title: z.string(),
  monitors: z.array(z.string()).nullable().describe("Null for all monitors of the team"),
  mode: z.enum(MAINTENANCE_MODES),
  schedule,
  isActive: z.boolean(),
  next: z
    .object({ from: time, until: time })
    .nullable()
    .describe("The current or next occurrence. Null if there is none anymore"),
  createdBy: z.string(),
  createdAt: time,
});

export const maintenanceList = list(maintenanceView);
export const maintenanceQuery = listQuery;

/** An occurrence on a monitor's chart. */
export const pastMaintenance = z.object({ title: z.string(), from: time, until: time });

export type MaintenanceSchedule = z.infer<typeof schedule>;
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];
export type CreateMaintenance = z.infer<typeof createMaintenanceBody>;
export type CreateMaintenanceInput = z.input<typeof createMaintenanceBody>;
export type MaintenanceView = z.infer<typeof maintenanceView>;
export type MaintenanceList = z.infer<typeof maintenanceList>;
export type PastMaintenance = z.infer<typeof pastMaintenance>;

/** Actions of the monitors service on maintenance windows. */
export interface MaintenanceActions {
  /** Creates a window. A repeated message or idempotency key creates only one. */
  "monitors.createMaintenance": Action<
    { id: string; body: CreateMaintenance; idempotencyKey?: string | undefined },
    MaintenanceView
  >;
  /** Lists a team's windows that have not ended, newest first. */
  "monitors.listMaintenance": Action<{ query: z.infer<typeof listQuery> }, MaintenanceList>;
  /** Ends a window, now if it is active. */
  "monitors.endMaintenance": Action<{ id: string }, null>;
}
