import { z } from "zod";
import { time } from "../fields.ts";

export const PLAN_NAMES = ["free", "pro", "business"] as const;

/** The resources that a plan limits per calendar month. */
export const ALLOWANCES = ["runs", "screenshots"] as const;

const allowance = z.object({ used: z.int(), limit: z.int().nullable().describe("Null for unlimited") });

/** Response of `GET /v1/usage`. */
export const usage = z.object({
  plan: z.enum(PLAN_NAMES),
  period: z
    .object({ start: time, end: time })
    .describe("Calendar month in UTC. `end` is the start of the next month"),
  runs: allowance.describe("Runs accepted in the period"),
  screenshots: allowance.describe("Screenshots of the runs accepted in the period"),
  monitors: allowance,
  members: allowance.describe("Members and pending invitations"),
  retentionDays: z.int().describe("Days until ended runs are deleted"),
});

const forecast = z
  .object({
    used: z.int().describe("Expected usage at the end of the month"),
    limitReachedAt: time.nullable().describe("When the limit is expected to be reached, else null"),
  })
  .nullable()
  .describe("Null in the first tenth of the month");

/** Response of `GET /v1/usage/history`. */
export const usageHistory = z.object({
  data: z
    .array(
      z.object({
        period: z.object({ start: time, end: time }).describe("Calendar month in UTC"),
        runs: z.int(),
        screenshots: z.int(),
      }),
    )
    .describe("The last twelve months, newest first. The first one is the current month"),
  forecast: z
    .object({ runs: forecast, screenshots: forecast })
    .describe("Expects the rest of the month to be like the month so far"),
});

export type PlanName = (typeof PLAN_NAMES)[number];
export type Allowance = (typeof ALLOWANCES)[number];
export type Usage = z.infer<typeof usage>;
export type UsageHistory = z.infer<typeof usageHistory>;
export type Forecast = NonNullable<z.infer<typeof forecast>>;

/** The limits of a plan. Null is unlimited. */
export interface Plan {
  name: PlanName;
  /** Accepted in a calendar month, UTC. */
  runs: number | null;
  /** Of the runs that were accepted in a calendar month, UTC. */
  screenshots: number | null;
  members: number | null;
  monitors: number | null;
  /** Whether monitors run on their schedule. */
  scheduled: boolean;
  /** The days after which an ended run is deleted. */
  retentionDays: number;
}

/** A notice that a team has used 80 or 100 percent of an allowance. It is sent once per period and limit. */
export interface UsageNotice {
  teamId: string;
  allowance: Allowance;
  percent: number;
  limit: number;
  used: number;
  /** ISO 8601, UTC. */
  resetsAt: string;
}
