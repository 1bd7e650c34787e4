import { z } from "zod";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type {
  CheckOutcome,
  CheckReport,
  Regression,
} from "../../../shared/contracts/monitors/alert-actions.ts";
import { CONDITION_KINDS } from "../../../shared/contracts/monitors/alerts.ts";
import { cut, type TextLimit } from "../../../shared/text/text-limits.ts";

/** Kinds of alerts: changed pages, a site that is down, a recovery, and a test. */
const ALERT_KINDS = ["changed", "down", "recovered", "test"] as const;
/** `replaced` closes an incident that another one replaced. `notice` is a mail from the service itself, and `digest` one about a run. */
const NOTIFICATION_KINDS = [...ALERT_KINDS, ...CONDITION_KINDS, "replaced", "notice", "digest"] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** A message names only the pages with the largest differences. `count` is the number of all. */
const NAMED_PAGES = 20;

const REASON_LIMIT: TextLimit = { max: 500, unit: "utf16" };

const hash = z.string().nullable();
export const regression = z.object({
  route: z.string(),
  // Missing in messages of an earlier version.
  state: z.string().nullable().default(null),
  environment: z.string().nullable().default(null),
  viewport: z.number(),
  diffRatio: z.number(),
  /** Why it changed. Missing if unknown, and in messages of an earlier version. */
  cause: z.string().optional(),
  /** Regions that see the difference. Missing without regions. */
  regions: z.array(z.string()).optional(),
  images: z.object({ baseline: hash, current: hash, diff: hash }),
});

/** The content of an alert for any channel. Stored with its notification, and rendered when it is sent. */
const alertMessage = z.object({
  monitor: z.object({ id: z.string(), teamId: z.string(), name: z.string(), url: z.string() }),
  kind: z.enum([...ALERT_KINDS, ...CONDITION_KINDS, "replaced"]),
  /** For a condition: what happened, in one line. Missing in messages of an earlier version. */
  title: z.string().nullable().default(null),
  /** Time at which the check ended. */
  at: z.string(),
  /** Null if there is no run to open. */
  runId: z.string().nullable(),
  /** Fingerprint of the pages. It groups messages about one problem. */
  about: z.string(),
  /** Largest differences first. */
  regressions: z.array(regression),
  /** Number of changed pages, including unnamed ones. */
  count: z.number(),
  /** Number of them with a baseline of renderers that draw differently. */
  otherRenderers: z.number().default(0),
  /**
   * For pages that don't respond: the reason, the routes, their number, and whether they are all of the monitor's
   * pages.
   */
  reason: z.string().nullable(),
  down: z
    .object({ routes: z.array(z.string()), count: z.number(), isWhole: z.boolean() })
    .nullable()
    // Missing in messages of an earlier version.
    .default(null),
  /** For a recovery: the start of the alert. */
  since: z.string().nullable(),
  /** For a recovery: the member who resolved the incident. Missing in messages of an earlier version. */
  resolvedBy: z.string().nullable().default(null),
  /** The incident in the dashboard. Null if there is none. Missing in messages of an earlier version. */
  incidentId: z.string().nullable().default(null),
});

/** A mail from the service itself. */
const noticeMessage = z.object({
  subject: z.string(),
  paragraphs: z.array(z.string()),
  button: z.object({ label: z.string(), url: z.string() }).nullable(),
});

/** The stored content of a notification about a monitor or the service. */
export const notificationPayload = z.union([
  z.object({ alert: alertMessage }),
  z.object({ notice: noticeMessage }),
]);

export type AlertMessage = z.infer<typeof alertMessage>;
export type NoticeMessage = z.infer<typeof noticeMessage>;
export type NotificationPayload = z.infer<typeof notificationPayload>;

/** Returns the message for a check. The caller decides its kind and what it is about. */
export function messageOf(
  { monitor: { id, teamId, name, url }, at, runId, outcome }: CheckReport,
  about: Pick<AlertMessage, "kind" | "about" | "since" | "incidentId">,
): AlertMessage {
  const found = outcome.kind === "ok" ? [] : outcome.regressions;
  return {
    monitor: { id, teamId, name, url },
    at,
    runId,
    ...about,
    resolvedBy: null,
    title: null,
    regressions: largest(found),
    count: found.length,
    otherRenderers: found.filter(({ isOtherRenderer }) => isOtherRenderer).length,
    ...(outcome.kind === "down"
      ? { reason: plainReason(outcome.reason), down: downOf(outcome) }
      : { reason: null, down: null }),
  };
}

function downOf({ routes, isWhole }: Extract<CheckOutcome, { kind: "down" }>): AlertMessage["down"] {
  return { routes: routes.slice(0, NAMED_PAGES), count: routes.length, isWhole };
}

function largest(found: readonly Regression[]): AlertMessage["regressions"] {
  const sorted = found.toSorted((a, b) => b.diffRatio - a.diffRatio).slice(0, NAMED_PAGES);
  return sorted.map(({ cause, ...regression }) => {
    return { ...regression, ...pickPage(regression), ...(cause && { cause: plainReason(cause) }) };
  });
}

/** Returns one line that the database can store, whatever the site sent. */
function plainReason(reason: string): string {
  return cut(reason.replaceAll(/\p{Cc}+/gu, " ").toWellFormed(), REASON_LIMIT);
}
