import { z } from "zod";
import type {
  CheckOutcome,
  CheckReport,
  Regression,
} from "../../../shared/contracts/monitors/alert-actions.ts";

/** What a message is about: pages that look different, a site that does not answer, that all is well again, a sample. */
const ALERT_KINDS = ["changed", "down", "recovered", "test"] as const;
/** `replaced`: for incident services, that something else is wrong now; `notice`: a mail of the service's own. */
const DELIVERY_KINDS = [...ALERT_KINDS, "replaced", "notice"] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** A message names the pages with the largest differences; how many there are it says. */
const NAMED_PAGES = 20;

const REASON_CHARS = 500;

const hash = z.string().nullable();
const regression = z.object({
  route: z.string(),
  viewport: z.number(),
  diffRatio: z.number(),
  images: z.object({ baseline: hash, current: hash, diff: hash }),
});

/** What an alert says, whatever the channel: kept with its delivery, and laid out when it is sent. */
const alertMessage = z.object({
  monitor: z.object({ id: z.string(), teamId: z.string(), name: z.string(), url: z.string() }),
  kind: z.enum([...ALERT_KINDS, "replaced"]),
  /** When the check ended. */
  at: z.string(),
  /** Null where there is no run to look at. */
  runId: z.string().nullable(),
  /** Groups messages about one thing: the fingerprint of the pages. */
  about: z.string(),
  /** The largest differences first. */
  regressions: z.array(regression),
  /** How many there are, also those that are not named. */
  count: z.number(),
  /** How many of them have a baseline of renderers that draw differently. */
  otherRenderers: z.number().default(0),
  /** Of pages that do not answer: why, which, how many, and whether they are all that the monitor looks at. */
  reason: z.string().nullable(),
  down: z
    .object({ routes: z.array(z.string()), count: z.number(), isWhole: z.boolean() })
    .nullable()
    // Queued by an earlier version.
    .default(null),
  /** Of a recovery: since when it had been alerted. */
  since: z.string().nullable(),
});

/** A mail of the service's own. */
const noticeMessage = z.object({
  subject: z.string(),
  paragraphs: z.array(z.string()),
  button: z.object({ label: z.string(), url: z.string() }).nullable(),
});

/** What a delivery carries. */
export const deliveryPayload = z.union([
  z.object({ alert: alertMessage }),
  z.object({ notice: noticeMessage }),
]);

export type AlertMessage = z.infer<typeof alertMessage>;
export type NoticeMessage = z.infer<typeof noticeMessage>;
export type DeliveryPayload = z.infer<typeof deliveryPayload>;

/** The message of a check; what it is about and of which kind is decided elsewhere. */
export function messageOf(
  { monitor: { id, teamId, name, url }, at, runId, outcome }: CheckReport,
  told: Pick<AlertMessage, "kind" | "about" | "since">,
): AlertMessage {
  const found = outcome.kind === "ok" ? [] : outcome.regressions;
  return {
    monitor: { id, teamId, name, url },
    at,
    runId,
    ...told,
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

function largest(found: readonly Regression[]): Regression[] {
  return found.toSorted((a, b) => b.diffRatio - a.diffRatio).slice(0, NAMED_PAGES);
}

/** One line, which the database can keep whatever a site made of it. */
function plainReason(reason: string): string {
  return reason
    .replaceAll(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .slice(0, REASON_CHARS);
}
