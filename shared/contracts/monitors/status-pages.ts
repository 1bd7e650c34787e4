import { z } from "zod";
import { list, text, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Bodies and responses of `/v1/status-pages`, and what the pages show. */

export const STATUS_PAGE_BOUNDS = { pages: 20, monitors: 100 } as const;

const components = z
  .array(
    z.strictObject({
      monitorId: z.string().max(64),
      name: text(100).describe("Name on the page. The monitor's own name and URL are not shown"),
    }),
  )
  .min(1)
  .max(STATUS_PAGE_BOUNDS.monitors)
  .refine(
    all => new Set(all.map(({ monitorId }) => monitorId)).size === all.length,
    "must name each monitor once",
  );

const fields = {
  title: text(100),
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])$/, "must be 3–60 lowercase letters, digits and hyphens")
    .describe("Last part of the page's URL"),
  components,
};

/** Body of `POST /v1/status-pages` and `PUT /v1/status-pages/:id`. */
export const statusPageBody = z.strictObject({
  ...fields,
  password: z
    .string()
    .min(8)
    .max(200)
    .nullable()
    .optional()
    .describe(
      "Password of the page. Null makes the page public. Left out, a changed page keeps its password",
    ),
});

export const statusPageView = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  components: z.array(z.object({ monitorId: z.string(), name: z.string() })),
  hasPassword: z.boolean(),
  url: z.string(),
  changedBy: z.string(),
  changedAt: time,
});

export const statusPageList = list(statusPageView);

/** Form of a protected page. */
export const statusPassword = z.string().min(1).max(200);

export type StatusPageBody = z.infer<typeof statusPageBody>;
export type StatusPageView = z.infer<typeof statusPageView>;
export type StatusPageList = z.infer<typeof statusPageList>;

export type ComponentState = "operational" | "outage" | "maintenance" | "unknown";

/** A day of a component. */
export interface StatusDay {
  /** Such as 2026-12-31, UTC. */
  date: string;
  /** Null without checks. */
  uptime: number | null;
}

/** What everyone may know about a monitor. */
export interface StatusComponent {
  name: string;
  state: ComponentState;
  /** Over 90 days, 0–1. Null without checks. */
  uptime: number | null;
  /** The last 90 days, oldest first. */
  days: StatusDay[];
}

/** An outage of a component. */
export interface StatusOutage {
  name: string;
  from: string;
  /** Null while it goes on. */
  until: string | null;
}

/** The content of a status page. It has no ids, URLs and routes. */
export interface StatusContent {
  title: string;
  /** Time at which it was read. */
  at: string;
  components: StatusComponent[];
  /** Newest first. */
  outages: StatusOutage[];
}

/**
 * The result of opening a status page. `ticket` opens a protected page until its password changes.
 */
export type OpenedStatusPage =
  | { kind: "missing" }
  | { kind: "locked"; title: string; isWrong: boolean }
  | { kind: "limited"; retryAfterSeconds: number }
  | { kind: "open"; content: StatusContent; ticket: string | null };

/** What a badge shows. */
export interface BadgeContent {
  state: ComponentState;
  /** Over 30 days, 0–1. Null without checks. */
  uptime: number | null;
}

/** Actions of the monitors service on status pages and badges. */
export interface StatusPageActions {
  "monitors.statusPages": Action<Record<string, never>, StatusPageList>;
  /** Creates a page. A repeated message creates only one. */
  "monitors.createStatusPage": Action<{ id: string; body: StatusPageBody }, StatusPageView>;
  "monitors.changeStatusPage": Action<{ id: string; body: StatusPageBody }, StatusPageView>;
  "monitors.deleteStatusPage": Action<{ id: string }, null>;
  /** Opens a page for everyone. */
  "monitors.openStatusPage": Action<
    { slug: string; ticket?: string | undefined; password?: string | undefined },
    OpenedStatusPage
  >;
  /** Reads a badge for everyone. Null if there is none. */
  "monitors.badge": Action<{ token: string }, BadgeContent | null>;
}
