/** More people in one comment are not notified. */
const MAX_MENTIONS = 20;

/**
 * A login after `@`, unless that belongs to an address, a path, or a longer word. People of an identity provider have
 * their address as login.
 */
const MENTION =
  /(?<![\p{L}\p{N}@/._-])@([a-z0-9][\w.+-]{0,63}@[a-z0-9][a-z0-9.-]{0,188}[a-z0-9]|[a-z0-9][\w-]{0,99})/giu;

/** Returns the logins that a text mentions, in lower case, each once. */
export function mentionedLogins(text: string): string[] {
  const logins = [...text.matchAll(MENTION)].map(([, login = ""]) => login.toLowerCase());
  return [...new Set(logins)].slice(0, MAX_MENTIONS);
}
