import type { NoticeKind, NoticePerson, Notify } from "../../../shared/contracts/teams/notices.ts";

/** The receiver of a project's chat channel. No user has this id. */
export const CHAT = "chat";

/** A notice for one receiver. */
export interface PlannedNotice {
  /** Id of the user, or `chat`. */
  receiver: string;
  kind: NoticeKind;
  commentId: string | null;
}

/** Returns the notices of an event: for the people who want them, and for the project's chat channel. */
export function noticesOf(
  notify: readonly Notify[],
  people: readonly NoticePerson[],
  hasChat: boolean,
): PlannedNotice[] {
  return notify.flatMap(one => {
    const { kind, commentId = null } = one;
    const receivers = people.filter(person => isFor(one, person)).map(({ id }) => id);
    // A channel gets comments that mention people, but not each reply.
    if (hasChat && kind !== "reply") receivers.push(CHAT);
    return receivers.map(receiver => ({ receiver, kind, commentId }));
  });
}

function isFor({ kind, users, login = null, isForAll, except }: Notify, person: NoticePerson): boolean {
  if (person.id === except || person.email === null) return false;
  const isNamed =
    users.includes(person.id) || (login !== null && person.login?.toLowerCase() === login.toLowerCase());
  if (kind !== "review") return isNamed && wants(person, kind);
  if (person.role === "viewer" || person.reviews === "none") return false;
  return isNamed || (isForAll === true && person.reviews === "all");
}

/** Returns whether a person wants notices of this kind. */
export function wants(
  {
    reviews,
    mentions,
    decisions,
    monitors,
  }: Pick<NoticePerson, "reviews" | "mentions" | "decisions" | "monitors">,
  kind: NoticeKind,
): boolean {
  if (kind === "review") return reviews !== "none";
  if (kind === "decision") return decisions;
  return kind === "monitor" ? monitors : mentions;
}
