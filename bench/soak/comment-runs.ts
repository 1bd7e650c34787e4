import { setTimeout as delay } from "node:timers/promises";
import {
  type CommentView,
  type CreateComment,
  commentView,
} from "../../shared/contracts/reviews/comments.ts";
import { retryRequest } from "./retry-request.ts";
import { clientOf, gatewayOf, post, randomOf, type SoakContext } from "./soak-context.ts";

const PAUSE_MS = [500, 3_000] as const;
/** A run accepts at most 500 comments. */
const RECENT_RUNS = 20;

/** Comments on screenshots of recent runs, replies, and resolves half of the threads. */
export async function commentRuns(context: SoakContext): Promise<void> {
  const random = randomOf(context, "comments");
  for (let count = 1; !context.signal.aborted; count++) {
    await delay(random.between(...PAUSE_MS), undefined, { signal: context.signal }).catch(() => {});
    const recent = [...context.ledger.runs.keys()].slice(-RECENT_RUNS);
    if (recent.length === 0) continue;
    const runId = random.of(recent);
    const screenshots = await retryRequest(attempt => clientOf(context, attempt).listScreenshots(runId));
    const on = screenshots.length > 0 && random.happens(0.8) ? { screenshot: random.of(screenshots).id } : {};
    const first = await comment(context, runId, { text: `Comment ${count}`, ...on });
    if (random.happens(0.5))
      await comment(context, runId, { text: `Reply to comment ${count}`, replyTo: first.id });
    if (random.happens(0.5)) await resolve(context, first.id);
  }
}

/** Comments on a run. The service can't know a repeated request, so a comment may exist once per attempt. */
async function comment(context: SoakContext, runId: string, body: CreateComment): Promise<CommentView> {
  let attempts = 0;
  const accepted = await retryRequest(async attempt => {
    attempts += 1;
    const response = await post(context, attempt, `/v1/runs/${runId}/comments`, body);
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`A comment was answered ${response.status}: ${answer}`);
    return commentView.parse(JSON.parse(answer));
  });
  context.ledger.comments.set(accepted.id, { runId, text: body.text, attempts, isResolved: false });
  context.ledger.note("comments written");
  return accepted;
}

async function resolve(context: SoakContext, id: string): Promise<void> {
  await retryRequest(async attempt => {
    const response = await fetch(`${gatewayOf(context.cluster, attempt)}/v1/comments/${id}`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${context.cluster.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ resolved: true }),
    });
    if (!response.ok) throw new Error(`Resolving ${id} was answered ${response.status}.`);
  });
  const written = context.ledger.comments.get(id);
  if (written) written.isResolved = true;
  context.ledger.note("threads resolved");
}
