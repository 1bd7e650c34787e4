/** A mention that is being typed. */
export interface TypedMention {
  /** The part of the login so far. */
  text: string;
  /** Where the `@` is. */
  start: number;
}

const SHOWN = 6;

/** Returns the mention that ends at the cursor. Null if there is none. */
export function mentionAt(text: string, cursor: number): TypedMention | null {
  const typed = /(?:^|[^\p{L}\p{N}@/._-])@([\w.+@-]{0,254})$/u.exec(text.slice(0, cursor));
  const part = typed?.[1];
  return part === undefined ? null : { text: part, start: cursor - part.length - 1 };
}

/** Returns the members whose login or name matches, those whose login starts with it first. */
export function matchingMembers<M extends { login: string | null; name: string | null }>(
  members: readonly M[],
  typed: string,
): (M & { login: string })[] {
  const wanted = typed.toLowerCase();
  const rank = ({ login, name }: M) => {
    if (login === null) return null;
    if (login.toLowerCase().startsWith(wanted)) return 0;
    return `${login} ${name ?? ""}`.toLowerCase().includes(wanted) ? 1 : null;
  };
  return members
    .flatMap(member => {
      const at = rank(member);
      return at === null || member.login === null ? [] : [{ at, member: { ...member, login: member.login } }];
    })
    .sort((one, other) => one.at - other.at || one.member.login.localeCompare(other.member.login))
    .slice(0, SHOWN)
    .map(({ member }) => member);
}

/** Returns the text with the mention completed, and the cursor after it. */
export function completeMention(
  text: string,
  { start, text: typed }: TypedMention,
  login: string,
): { text: string; cursor: number } {
  const rest = text.slice(start + 1 + typed.length);
  const inserted = `@${login}${/^\s/.test(rest) ? "" : " "}`;
  return { text: text.slice(0, start) + inserted + rest, cursor: start + inserted.length };
}
