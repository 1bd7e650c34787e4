import { z } from "zod";
import { link, time } from "../fields.ts";
import { CONCLUSIONS, RUN_STATUSES } from "../runs/runs.ts";
import type { Notify } from "../teams/notices.ts";

/** The events of webhooks and their payloads. Add an event here, and insert it where it happens. */

const page = {
  route: z.string(),
  state: z.string().nullable(),
  environment: z.string().nullable(),
  viewport: z.int().describe("Width in pixels"),
};

const of = {
  teamId: z.string(),
  project: z.string().describe("Name of the project"),
};

const run = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  conclusion: z.enum(CONCLUSIONS).nullable().describe("Null for a failed run"),
  error: z.string().nullable().describe("Why a failed run failed"),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  pullRequest: z.int().nullable(),
  counts: z
    .object({
      unchanged: z.int(),
      minor: z.int(),
      changed: z.int(),
      new: z.int(),
      removed: z.int(),
      failed: z.int(),
    })
    .describe("Numbers of screenshots by status"),
  links: z.object({ self: link, report: link }),
});

const build = z.object({
  id: z.string().describe("Id of the build and of its run"),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  pullRequest: z.int().nullable(),
  screenshots: z.int(),
});

const monitorFields = {
  teamId: z.string(),
  monitor: z.object({ id: z.string(), name: z.string(), url: z.string() }),
  checkedAt: time,
  runId: z.string().nullable(),
};

const regressions = z
  .array(
    z.object({
      ...page,
      diffRatio: z.number().describe("Share of changed pixels, 0–1"),
      regions: z
        .array(z.string())
        .optional()
        .describe("Regions that see the difference. Missing for a monitor without regions"),
    }),
  )
  .describe("The pages with the largest differences, at most 20");

const runData = z.object({ ...of, run });

/** The most pages that an event names. */
export const NAMED_PAGES = 20;

/** What monitors report besides their pages. */
const conditionData = z.object({
  teamId: z.string(),
  monitors: z
    .array(z.object({ id: z.string(), name: z.string(), url: z.string() }))
    .describe("The monitors that it is about, at most 20"),
  count: z.int().describe("Number of these monitors"),
  at: time,
  title: z.string().describe("What happened, in one line"),
  text: z.string().describe("What it means and what to do"),
});

const BASELINE_CAUSES = ["approved", "withdrawn", "restored", "carried"] as const;

/** The payload of each event: the `data` of its body. */
export const EVENT_DATA = {
  "run.completed": runData,
  "run.reviewed": runData,
  "build.finalized": z.object({ ...of, build }),
  "monitor.changed": z.object({
    ...monitorFields,
    changedPages: z.int().describe("Number of changed pages"),
    regressions,
  }),
  "monitor.down": z.object({
    ...monitorFields,
    reason: z.string().nullable(),
    routes: z.array(z.string()).describe("Routes that don't respond, at most 20"),
    changedPages: z.int().describe("Number of changed pages besides"),
    regressions,
  }),
  "monitor.recovered": z.object({
    ...monitorFields,
    since: time.nullable().describe("Start of the problem"),
  }),
  "monitor.unchecked": conditionData,
  "monitor.checked": conditionData,
  "monitor.certificate": conditionData,
  "monitor.renewed": conditionData,
  "monitor.failing": conditionData,
  "monitor.passing": conditionData,
  "baseline.changed": z.object({
    ...of,
    branch: z.string().nullable().describe("Null for the baselines of a pull request"),
    pullRequest: z.int().nullable(),
    cause: z
      .enum(BASELINE_CAUSES)
      .describe(
        "`withdrawn`: a rejection or dismissal undid an approval. `carried`: an approval of another run counts here",
      ),
    runId: z.string().nullable().describe("The run whose screenshots became baselines"),
    count: z.int().describe("Number of pages"),
    pages: z.array(z.object(page)).describe("At most 20 of the pages"),
  }),
  "comment.created": z.object({
    ...of,
    runId: z.string(),
    comment: z.object({
      id: z.string(),
      threadId: z.string().describe("Id of the first comment of the thread"),
      screenshotId: z.string().nullable().describe("Null for a comment on the run"),
      text: z.string(),
      by: z.object({ kind: z.enum(["key", "user", "service"]), id: z.string(), name: z.string() }),
    }),
  }),
  "webhook.test": z.object({ teamId: z.string(), webhookId: z.string(), message: z.string() }),
} as const;

export type EventType = keyof typeof EVENT_DATA;

/** The event of the test button. Webhooks don't subscribe to it. */
export const TEST_EVENT = "webhook.test" satisfies EventType;

/** An event that is only for people. No webhook gets it. */
export const NOTICE_EVENT = "notice";

// biome-ignore lint/plugin: the keys of the object above.
export const EVENT_TYPES = (Object.keys(EVENT_DATA) as EventType[]).filter(type => type !== TEST_EVENT);

/** What each event reports, for people. */
export const EVENT_SUMMARIES: Record<EventType, string> = {
  "run.completed": "A run ended. Runs of monitors are left out",
  "run.reviewed": "The reviews of a completed run changed",
  "build.finalized": "A build is complete, and its screenshots are compared",
  "monitor.changed": "A monitor found changed pages, and alerts about them",
  "monitor.down": "A monitor found pages that don't respond, and alerts about them",
  "monitor.recovered": "A monitor's problem is over",
  "monitor.unchecked": "Monitors of the team have had no result for several intervals",
  "monitor.checked": "Monitors that were not checked have results again",
  "monitor.certificate": "The certificate of a monitored site expires soon, or has expired",
  "monitor.renewed": "A certificate that would have expired was renewed",
  "monitor.failing": "The HTTP check of a monitor fails in enough regions",
  "monitor.passing": "The HTTP check of a monitor passes again",
  "baseline.changed": "Pages of a project have other baselines",
  "comment.created": "A member commented on a run or a screenshot",
  "webhook.test": "A member tested the webhook",
};

/** The data of an event type. */
export type EventData<T extends EventType> = z.infer<(typeof EVENT_DATA)[T]>;

/** An event that happened, on its way to the webhooks of its team. */
export interface OutgoingEvent {
  /** Makes a repeated message harmless. Receivers see it as `webhook-id`. */
  id: string;
  type: EventType | typeof NOTICE_EVENT;
  teamId: string;
  /** Null for events of monitors. */
  project: string | null;
  /** Events about the same subject are delivered in order: a run, a monitor, or a project. */
  subject: string;
  /** When it happened, ISO 8601 in UTC. */
  at: string;
  data: object;
  /** People to notify of it. */
  notify?: Notify[];
}

/** Returns the schema of a request's body. */
export function eventBody(type: EventType) {
  return z.object({ type: z.literal(type), timestamp: time, data: EVENT_DATA[type] });
}
