import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import type { NoticeKind, NoticePerson } from "../../../shared/contracts/teams/notices.ts";
import type { DigestMessage } from "./digest-message.ts";
import { wants } from "./receivers.rule.ts";

/** More comments in one mail are not read there. */
const MAX_COMMENTS = 10;
/** Of a comment. The run's page shows the rest. */
const COMMENT_CHARS = 600;

/** A notice that waits for its digest. */
export interface WaitingNotice {
  eventId: string;
  kind: NoticeKind;
  commentId: string | null;
}

/**
 * Returns the digest of a run's notices, by what is true now: nothing about a review that was decided or replaced
 * meanwhile, about deleted comments, or that the person no longer wants. Null if nothing is left.
 * @param person null for a chat channel, and for an address of the project
 */
export function digestOf(
  teamId: string,
  notices: readonly WaitingNotice[],
  facts: DigestFacts,
  person: NoticePerson | null,
): DigestMessage | null {
  const kinds = new Set(
    notices.map(({ kind }) => kind).filter(kind => person === null || wants(person, kind)),
  );
  const { conclusion, ...run } = facts.run;
  const isDecided = conclusion === "approved" || conclusion === "rejected";
  const open = kinds.has("review") && facts.open > 0 ? facts.open : null;
  const decision = kinds.has("decision") && isDecided ? { conclusion, ...facts.decision } : null;
  const named = (kind: NoticeKind) =>
    new Set(
      notices.filter(notice => kinds.has(kind) && notice.kind === kind).map(({ commentId }) => commentId),
    );
  const [mentions, replies] = [named("mention"), named("reply")];
  const comments = facts.comments
    .filter(({ id }) => mentions.has(id) || replies.has(id))
    .slice(0, MAX_COMMENTS)
    .map(comment => ({
      ...comment,
      text: comment.text.slice(0, COMMENT_CHARS).toWellFormed(),
      isMention: mentions.has(comment.id),
    }));
  if (open === null && decision === null && comments.length === 0) return null;
  const about: [NoticeKind, boolean][] = [
    ["review", open !== null],
    ["decision", decision !== null],
    ["mention", comments.some(({ isMention }) => isMention)],
    ["reply", comments.some(({ isMention }) => !isMention)],
  ];
  return {
    teamId,
    userId: person?.id ?? null,
    kinds: about.flatMap(([kind, isPart]) => (isPart ? [kind] : [])),
    run,
    ...{ open, decision, comments, canDecide: false },
    regressions:
      open === null && decision === null ? [] : facts.regressions.map(one => ({ ...one, ...pickPage(one) })),
  };
}
