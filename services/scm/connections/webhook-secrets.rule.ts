/** The secrets of a connection's webhook. */
export interface WebhookSecrets {
  secret: string;
  /** Earlier ones, until shortly after the code host is known to have the latest. */
  previous?: { secret: string; until: string }[];
}

/** Long enough for an outage of a code host, and for members who set the secret by hand. */
const OVERLAP_MS = 24 * 3_600_000;
const MAX_PREVIOUS = 5;
/** Events that a code host sent before it had the new secret may still be on their way, or be repeated. */
const GRACE_MS = 5 * 60_000;

/** Returns the access with a new secret. The earlier ones stay valid for a day, because the code host has one of them. */
export function withSecret<T extends WebhookSecrets>(access: T, secret: string, now: number): T {
  const until = new Date(now + OVERLAP_MS).toISOString();
  const previous = [{ secret: access.secret, until }, ...stillValid(access, now)].slice(0, MAX_PREVIOUS);
  return { ...access, secret, previous };
}

/** Returns whether the code host is known to have the latest secret. */
export function isConfirmed({ previous = [] }: WebhookSecrets, now: number): boolean {
  return previous.every(({ until }) => Date.parse(until) <= now + GRACE_MS);
}

/** Returns the access after the code host is known to have the latest secret. The earlier ones end soon. */
export function confirmed<T extends WebhookSecrets>(access: T, now: number): T {
  const latest = now + GRACE_MS;
  const previous = stillValid(access, now).map(({ secret, until }) => ({
    secret,
    until: new Date(Math.min(Date.parse(until), latest)).toISOString(),
  }));
  return { ...access, previous };
}

/** Returns the secrets that an event may have, the latest first. */
export function validSecrets(access: WebhookSecrets, now: number): string[] {
  return [access.secret, ...stillValid(access, now).map(({ secret }) => secret)];
}

function stillValid({ previous = [] }: WebhookSecrets, now: number) {
  return previous.filter(({ until }) => Date.parse(until) > now);
}
