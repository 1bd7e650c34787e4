import { forEachConcurrently } from "../../../shared/async.ts";
import { HostError } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { CONNECTION_ERRORS, HOST_NAMES } from "../texts/connections.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type Connection, leaseRotations, markAccess, replaceToken } from "./connection.store.ts";
import type { TokenHosts } from "./token-hosts.ts";

/** The lifetime of a new token. GitLab allows a year. */
const TOKEN_DAYS = 90;
const DAY_MS = 24 * 3_600_000;
const BATCH_SIZE = 20;

/**
 * Replaces the tokens that expire soon, where a team asked for it. Connections with the same token get the same new one.
 */
export async function rotateDueTokens(
  context: Pick<ScmContext, "em" | "warn"> & { hosts: TokenHosts },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const due = await leaseRotations(context.em(), BATCH_SIZE);
    // Each of them has another token.
    await forEachConcurrently(
      due,
      BATCH_SIZE,
      connection => rotate(context, connection),
      (error, { id }) => context.warn(error, LOG_MESSAGES.tokenNotRotated(id)),
    );
    if (due.length < BATCH_SIZE) return;
  }
}

async function rotate(
  { em, hosts, warn }: Pick<ScmContext, "em" | "warn"> & { hosts: TokenHosts },
  connection: Connection,
): Promise<void> {
  const { id, host, url, access } = connection;
  const expiresAt = new Date(Date.now() + TOKEN_DAYS * DAY_MS).toISOString().slice(0, 10);
  try {
    const made = await hosts[host].rotateToken?.({ url, token: access.token }, expiresAt);
    if (!made) return;
    // The code host revoked the old token, so a failure here needs a person.
    await replaceToken(em(), connection, made).catch(error => {
      warn(error, LOG_MESSAGES.tokenLost(id));
      throw error;
    });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    warn(error, LOG_MESSAGES.tokenNotRotated(id));
    if (error.status === 401)
      await markAccess(em(), connection, CONNECTION_ERRORS.tokenRejected(HOST_NAMES[connection.host]));
  }
}
