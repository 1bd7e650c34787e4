/** The inbox of users whose name can't be part of a subject. */
const SHARED_INBOX = "_INBOX";

/** Servers and credentials of nats:// and tls:// addresses, as the client's options. */
export interface NatsServers {
  /** `host:port` of each, without credentials, so that it can be logged. */
  servers: string[];
  user?: string;
  pass?: string;
  /** Prefix of the subject of every response. Each user has its own, and NATS keeps others from it. */
  inboxPrefix: string;
  token?: string;
  /** Requires TLS. The certificate is verified against the system's authorities and NODE_EXTRA_CA_CERTS. */
  tls?: Record<never, never>;
}

const DEFAULT_PORT = "4222";

/**
 * Reads addresses such as `nats://user:password@host:4222`, `nats://token@host`, or `tls://host`. The servers
 * of a cluster share their users, so the first address with credentials counts for all.
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

/** Returns the NATS user of a node, or null if there is none that can be part of a subject. */
export function natsUser(addresses: readonly string[] | null): string | null {
  const { user } = addresses === null ? {} : natsServers(addresses);
  return user !== undefined && isToken(user) ? user : null;
}

/** A dot would start another token of a subject. `*` and `>` are wildcards. */
function isToken(user: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(user);
}
