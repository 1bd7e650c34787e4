import { isDeepStrictEqual } from "node:util";
import { Webhook as Verifier } from "standardwebhooks";
import { z } from "zod";
import { type CommentView, commentList } from "../../../shared/contracts/reviews/comments.ts";
import { webhookWithSecret } from "../../../shared/contracts/webhooks/webhooks.ts";
import type { ReceivedPost } from "../../../test/support/servers/http/http-receiver.ts";
import { retryRequest } from "../retry-request.ts";
import { post, type SoakContext } from "../soak-context.ts";
import { type Entry, untilSettled } from "./balance.ts";

const EVENTS = ["run.completed", "run.reviewed", "build.finalized", "comment.created"] as const;

/** What the balance reads of an event. */
const received = z.object({
  type: z.enum(EVENTS),
  data: z.object({
    runId: z.string().optional(),
    run: z.object({ id: z.string() }).optional(),
    build: z.object({ id: z.string() }).optional(),
    comment: z.object({ id: z.string() }).optional(),
  }),
});

/** Creates the webhook whose events the balance checks. @returns its secret */
export async function createWebhook(context: SoakContext): Promise<string> {
  const body = { url: context.events.url("/events"), events: EVENTS };
  const response = await retryRequest(attempt => post(context, attempt, "/v1/webhooks", body));
  if (response.status !== 201) throw new Error(await response.text());
  return webhookWithSecret.parse(await response.json()).secret;
}

const SIGNED_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/** Verifies an event as its receiver does. @throws Error for a wrong signature */
export function verifyEvent(secret: string | null, headers: ReceivedPost["headers"], body: string): void {
  if (secret === null) throw new Error("An event came before its webhook was created.");
  new Verifier(secret).verify(
    body,
    Object.fromEntries(SIGNED_HEADERS.map(name => [name, String(headers[name])])),
  );
}

/**
 * Checks that the webhook got one `run.completed` for each run that was not canceled, and one `comment.created` for
 * each comment. A run's completion comes before its reviews.
 */
export async function balanceEvents(context: SoakContext): Promise<Entry> {
  let summary = "";
  const failures = await untilSettled(async () => {
    const events = eventsOf(context.events.received);
    summary = `${events.size} events; ${context.events.received.length - events.size} repeated attempts`;
    return [...context.events.faults, ...failuresOf(context, [...events.values()])];
  });
  return { name: "events once each", summary, failures };
}

interface Event {
  type: (typeof EVENTS)[number];
  /** Id of its run or comment. */
  subject: string;
}

/** Returns the events in the order of their first arrival, by id. */
function eventsOf(posts: readonly ReceivedPost[]): Map<string, Event> {
  const events = new Map<string, Event>();
  for (const { headers, body } of posts) {
    const { type, data } = received.parse(JSON.parse(body));
    const subject = data.comment?.id ?? data.run?.id ?? data.build?.id ?? "";
    const id = String(headers["webhook-id"]);
    if (!events.has(id)) events.set(id, { type, subject });
  }
  return events;
}

function failuresOf({ ledger }: SoakContext, events: readonly Event[]): string[] {
  const failures: string[] = [];
  const times = (type: Event["type"], subject: string) =>
    events.filter(event => event.type === type && event.subject === subject).length;
  for (const { id, counts } of ledger.runs.values()) {
    if (counts === null) continue;
    const completed = times("run.completed", id);
    if (completed !== 1) failures.push(`${id} sent ${completed} events of its completion`);
    const [first] = events.filter(({ type, subject }) => subject === id && type.startsWith("run."));
    if (first && first.type !== "run.completed")
      failures.push(`${id} sent ${first.type} before its completion`);
  }
  for (const id of ledger.comments.keys()) {
    const created = times("comment.created", id);
    if (created !== 1) failures.push(`${id} sent ${created} events`);
  }
  return failures;
}

/** Checks that every accepted comment exists as it was written, and no other one. */
export async function balanceComments(context: SoakContext): Promise<Entry> {
  const { ledger } = context;
  const failures: string[] = [];
  const written = [...ledger.comments.values()];
  const found = new Map<string, CommentView>();
  for (const runId of new Set(written.map(comment => comment.runId)))
    for (const comment of await commentsOf(context, runId)) found.set(comment.id, comment);
  for (const [id, { runId, text, isResolved }] of ledger.comments) {
    const comment = found.get(id);
    const is = comment && [comment.runId, comment.text, comment.resolved !== null];
    if (!isDeepStrictEqual(is, [runId, text, isResolved]))
      failures.push(`${id} is ${comment ? JSON.stringify(is) : "lost"}, not ${text}`);
  }
  for (const { text, attempts } of written) {
    const times = [...found.values()].filter(comment => comment.text === text).length;
    if (times > attempts) failures.push(`${text} exists ${times} times after ${attempts} requests`);
  }
  const texts = new Set(written.map(({ text }) => text));
  for (const { id, text } of found.values())
    if (!texts.has(text)) failures.push(`${id} was never written: ${text}`);
  return { name: "comments as written", summary: `${written.length} comments`, failures };
}

async function commentsOf({ cluster }: SoakContext, runId: string): Promise<CommentView[]> {
  const comments: CommentView[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await cluster.request(`/v1/runs/${runId}/comments?limit=100${query}`);
    const page: z.infer<typeof commentList> = commentList.parse(await response.json());
    comments.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return comments;
}
