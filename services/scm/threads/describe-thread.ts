import type { MirroredComment, MirroredThread } from "../../../shared/contracts/reviews/mirror.ts";
import { code, escapeMarkdown, link } from "../../../shared/text/code-host-markdown.ts";
import { cutEscaped, TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import { threadUrlOf } from "../checks/change-image.ts";
import type { RepositoryDiscussions } from "../code-host/code-host.ts";
import { THREAD_TEXTS } from "../texts/comments.ts";

/** The limit of one escaped comment. All comments of a thread fit together, with room for the rest. */
const COMMENT_LIMIT = { max: 2_800, unit: TEXT_LIMITS.comment.unit };
const NAME_LIMIT = { max: 200, unit: TEXT_LIMITS.comment.unit };

/** Returns the hidden text that identifies the comment of a thread. */
export function threadMarkerOf(threadId: string): string {
  return `<!-- vrs thread ${threadId} -->`;
}

/**
 * Returns the comment on the pull request that shows a thread.
 * @param reportUrl link to the report of its run
 * @param discussions null if people reply with a quote, and not to the comment itself
 */
export function describeThread(
  thread: MirroredThread,
  reportUrl: string,
  discussions: Pick<RepositoryDiscussions, "canResolve"> | null,
): string {
  const { id, comments, omitted, resolvedBy } = thread;
  const [first, ...replies] = comments;
  const parts = [
    threadMarkerOf(id),
    first ? `${headOf(first)} ${THREAD_TEXTS.on(placeOf(thread, reportUrl))}\n\n${quoteOf(first)}` : "",
    omitted > 0 ? THREAD_TEXTS.omitted(omitted) : "",
    ...replies.map(reply => `${headOf(reply)}\n\n${quoteOf(reply)}`),
    resolvedBy === null ? "" : THREAD_TEXTS.resolved(nameOf(resolvedBy)),
    `<sub>${howToReply(discussions)}</sub>`,
  ];
  return `${parts.filter(part => part !== "").join("\n\n")}\n`;
}

function howToReply(discussions: Pick<RepositoryDiscussions, "canResolve"> | null): string {
  if (discussions === null) return THREAD_TEXTS.howToReply;
  return discussions.canResolve ? THREAD_TEXTS.howToReplyHere : THREAD_TEXTS.howToReplyOnly;
}

/** Returns a link to the exact spot of a thread. The code host keeps it in a quote, so it also names the thread. */
function placeOf({ id, screenshotId, page, isOnRegion }: MirroredThread, reportUrl: string): string {
  const url = threadUrlOf(screenshotId, id, reportUrl);
  const shown = page ? THREAD_TEXTS.page(code(page.name), page.viewport) : THREAD_TEXTS.run;
  const place = isOnRegion ? THREAD_TEXTS.region(shown) : shown;
  return url === null ? place : link(place, url);
}

function headOf({ by }: MirroredComment): string {
  return `**${nameOf(by)}**`;
}

function nameOf(name: string): string {
  return cutEscaped(name, NAME_LIMIT, escapeMarkdown);
}

/** Returns a comment's text as a quote, with its line breaks. */
function quoteOf({ text }: MirroredComment): string {
  const escaped = cutEscaped(text, COMMENT_LIMIT, all => all.split("\n").map(escapeMarkdown).join("<br>"));
  return `> ${escaped}`;
}
