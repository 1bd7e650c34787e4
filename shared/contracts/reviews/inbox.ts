import { z } from "zod";
import { pageFields } from "../capture/page-fields.ts";
import { link, list, pageQuery, region, time } from "../fields.ts";
import { runView } from "../runs/runs.ts";
import { SCREENSHOT_STATUSES } from "../runs/screenshots.ts";
import type { Action } from "../teams/team-actions.ts";
import { runReviewers } from "./reviewers.ts";

/** What waits for people, over all projects of a team. */

export const INBOX_FILTERS = ["mine", "all", "mentions"] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

/** Larger numbers aren't counted on. */
export const INBOX_COUNT_LIMIT = 100;

/** Query of `GET /v1/inbox`. */
export const inboxQuery = z.strictObject({
  ...pageQuery,
  filter: z
    .enum(INBOX_FILTERS)
    .default("mine")
    .describe(
      "`mine`: runs that you are assigned to and haven't decided, and open threads that mention you. `mentions`: only those threads. `all`: every run of the team that needs review",
    ),
  project: z.string().max(200).optional(),
});

const inboxScreenshot = z.object({
  id: z.string(),
  route: pageFields.route,
  state: pageFields.state,
  environment: pageFields.environment,
  viewport: pageFields.viewport,
  status: z.enum(SCREENSHOT_STATUSES),
  diffRatio: z.number().nullable(),
  width: z.int().nullable().describe("Width of the image in px"),
  height: z.int().nullable().describe("Height of the image in px"),
  image: link.nullable().describe("The new screenshot. The baseline of a removed page"),
  regions: z.array(region).describe("Changed regions, at most 5"),
});

const inboxMention = z.object({
  commentId: z.string(),
  screenshotId: z.string().nullable(),
  by: z.string(),
  text: z.string(),
  at: time,
});

const inboxItem = z.object({
  run: runView,
  open: z.int().describe("Screenshots that need review"),
  isAssigned: z.boolean().describe("Whether you are assigned and haven't decided all screenshots"),
  reviewers: runReviewers.shape.reviewers,
  screenshots: z
    .array(inboxScreenshot)
    .describe("Screenshots that need review, largest changes first. At most 3"),
  mentions: z.array(inboxMention).describe("Open comments that mention you, oldest first. At most 5"),
  superseded: z
    .array(z.string())
    .describe("Ids of earlier runs that it replaces, and that also needed review. At most 20"),
  commit: z.object({
    message: z.string().nullable().describe("First line of the commit's message, if known"),
    author: z.string().nullable(),
    links: z
      .object({ branch: link.nullable(), pullRequest: link.nullable(), commit: link.nullable() })
      .describe("Pages of the code host. Null without the code-host app"),
  }),
});

export const inbox = list(inboxItem).extend({
  counts: z
    .object({ mine: z.int(), all: z.int(), mentions: z.int() })
    .describe(`Numbers of runs by filter. Counted up to ${INBOX_COUNT_LIMIT}`),
});

export type InboxQuery = z.infer<typeof inboxQuery>;
export type InboxItem = z.infer<typeof inboxItem>;
export type Inbox = z.infer<typeof inbox>;

/** Actions of the runs service on the inbox. */
export interface InboxActions {
  "runs.inbox": Action<{ query: InboxQuery }, Inbox>;
}
