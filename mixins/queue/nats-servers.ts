/** A user that is part of no subject gets answers where everybody does. */
const SHARED_INBOX = "_INBOX";

/** Where NATS is and who asks: what nats:// and tls:// addresses say, in the client's terms. */
export interface NatsServers {
  /** `host:port` of each, without who asks: fit for the log. */
  servers: string[];
  user?: string;
  pass?: string;
  /** What stands before the subject of every answer: each user has its own, and NATS keeps it from the others. */
  inboxPrefix: string;
  token?: string;
  /** Refuses a server without TLS; its certificate is checked against the system's authorities and NODE_EXTRA_CA_CERTS. */
  tls?: Record<never, never>;
}

const DEFAULT_PORT = "4222";

/**
 * Reads addresses as `nats://user:password@host:4222`, `nats://token@host` or `tls://host`.
 * The servers of a cluster share their users: those of the first address that has any count for all.
 */
export function natsServers(addresses: readonly string[]): NatsServers {
  const urls = addresses.map(address => new URL(address));
  const servers = urls.map(url => `${url.hostname}:${url.port === "" ? DEFAULT_PORT : url.port}`);
  const tls = urls.some(url => url.protocol === "tls:") ? { tls: {} } : {};
  const known = urls.find(url => url.username !== "");
  if (!known) return { servers, inboxPrefix: SHARED_INBOX, ...tls };
  const user = decodeURIComponent(known.username);
  if (known.password === "") return { servers, token: user, inboxPrefix: SHARED_INBOX, ...tls };
  const inboxPrefix = isToken(user) ? `${SHARED_INBOX}_${user}` : SHARED_INBOX;
  return { servers, user, pass: decodeURIComponent(known.password), inboxPrefix, ...tls };
}

/** Returns the user of NATS as whom a node connects; null where it has none that can be part of a subject. */
export function natsUser(addresses: readonly string[] | null): string | null {
  const { user } = addresses === null ? {} : natsServers(addresses);
  return user !== undefined && isToken(user) ? user : null;
}

/** A dot would begin another token of a subject, and `*` and `>` stand for others. */
function isToken(user: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(user);
}
