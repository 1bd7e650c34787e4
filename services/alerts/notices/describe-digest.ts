import { DIGEST_TEXTS } from "../texts.ts";
import type { DigestMessage } from "./digest-message.ts";

/** Returns what happened, in one line: the most important of the digest. */
export function digestHeadline({ run, open, decision, comments }: DigestMessage): string {
  const where = run.pullRequest === null ? run.project : DIGEST_TEXTS.pull(run.project, run.pullRequest);
  if (decision?.conclusion === "approved") return DIGEST_TEXTS.approved(where, decision.by);
  if (decision) return DIGEST_TEXTS.rejected(where, decision.by);
  const mention = comments.find(({ isMention }) => isMention);
  if (mention) return DIGEST_TEXTS.mentioned(mention.by, where, comments.length - 1);
  if (open !== null) return DIGEST_TEXTS.needsReview(where, open);
  const [first] = comments;
  return DIGEST_TEXTS.replied(first?.by ?? "", where, comments.length - 1);
}

/** Returns the branch, the commit and its author, in one line. */
function digestSubject({ run: { branch, sha, message, author } }: DigestMessage): string {
  const parts = [branch, sha?.slice(0, 7), message, author && DIGEST_TEXTS.by(author)];
  return parts.filter(part => part !== null && part !== undefined && part !== "").join(" · ");
}

/** Returns the sentences below the headline: the review's state and the reason. */
export function digestParagraphs(message: DigestMessage): string[] {
  const { open, decision } = message;
  const subject = digestSubject(message);
  return [
    ...(subject === "" ? [] : [subject]),
    ...(decision?.reason ? [DIGEST_TEXTS.reason(decision.reason)] : []),
    // The headline says it, unless it says something more important.
    ...(open === null || (decision === null && !message.comments.some(({ isMention }) => isMention))
      ? []
      : [DIGEST_TEXTS.open(open)]),
  ];
}

/** Returns the page of the dashboard that shows what the digest is about first. */
export function digestUrl(baseUrl: string, { run, comments, regressions, open }: DigestMessage): string {
  const [comment] = comments;
  const [first] = regressions;
  if (open !== null && first) return shotUrl(baseUrl, run.id, first.id);
  return comment ? commentUrl(baseUrl, run.id, comment) : `${baseUrl}/runs/${run.id}`;
}

/** Returns the name of the button that opens that page. */
export function digestButton({ open, comments }: DigestMessage): string {
  if (open !== null) return DIGEST_TEXTS.review;
  return comments.length > 0 ? DIGEST_TEXTS.openComment : DIGEST_TEXTS.openRun;
}

/** Returns the page of the dashboard that shows a comment. */
export function commentUrl(
  baseUrl: string,
  runId: string,
  { id, screenshotId }: { id: string; screenshotId: string | null },
): string {
  const query = new URLSearchParams({ ...(screenshotId !== null && { shot: screenshotId }), comment: id });
  return `${baseUrl}/review/${runId}?${query}`;
}

/** Returns the page of the dashboard that reviews a screenshot. */
export function shotUrl(baseUrl: string, runId: string, id: string): string {
  return `${baseUrl}/review/${runId}?${new URLSearchParams({ shot: id })}`;
}
