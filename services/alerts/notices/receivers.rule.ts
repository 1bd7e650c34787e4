import type { NoticeKind, NoticePerson, Notify } from "../../../shared/contracts/teams/notices.ts";
import type { ProjectReceiver } from "./email-receivers.rule.ts";

/** The receiver of a project's chat channel. No user has this id. */
export const CHAT = "chat";

/** A notice for one receiver. */
export interface PlannedNotice {
  /** Id of the user, `chat`, or the key of an address of the project. */
  receiver: string;
  kind: NoticeKind;
  commentId: string | null;
}

/** Returns the notices of an event: for the people who want them, and for the project's chat channel and addresses. */
export function noticesOf(
  notify: readonly Notify[],
  people: readonly NoticePerson[],
  hasChat: boolean,
  addresses: readonly ProjectReceiver[] = [],
): PlannedNotice[] {
  return notify.flatMap(one => {
    const { kind, commentId = null } = one;
    const notified = people.filter(person => isFor(one, person));
    const receivers = notified.map(({ id }) => id);
    // A channel gets comments that mention people, but not each reply.
    if (hasChat && kind !== "reply") receivers.push(CHAT);
    // Addresses of the project get its runs that need review. People with the same address get their own email.
    if (kind === "review" && one.isForAll === true) {
      const own = new Set(notified.map(({ email }) => email?.toLowerCase()));
      receivers.push(
        ...addresses.filter(({ address }) => !own.has(address.toLowerCase())).map(({ receiver }) => receiver),
      );
    }
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
