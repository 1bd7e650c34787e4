import { forEachConcurrently } from "../../../shared/async.ts";
import { HostError, isMissing, isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import type { Connection } from "./connection.store.ts";
import { confirmSecret, leaseDueHooks, postponeHook, setHook } from "./hook.store.ts";
import type { TokenHosts } from "./token-hosts.ts";

/** What writing a webhook at a code host needs. */
export interface HookContext extends Pick<ScmContext, "em" | "warn"> {
  hosts: TokenHosts;
  /** This service's public URL, without a trailing slash. */
  baseUrl: string;
}

const RETRY_MS = 5 * 60_000;
/** A token without the permission may get it, or another token follows. */
const REFUSED_RETRY_MS = 6 * 3_600_000;
const BATCH_SIZE = 20;

/** Returns the URL that receives the events of a connection. */
export function hookUrlOf({ baseUrl }: Pick<HookContext, "baseUrl">, { id }: Connection): string {
  return `${baseUrl}/codehost/connections/${id}/webhook`;
}

/**
 * Creates or changes the webhook at the code host. Without the permission, members do it themselves. A change that
 * fails is repeated later, and earlier secrets stay valid meanwhile.
 * @returns whether the code host has the webhook, or gets it later
 */
export async function putHook(context: HookContext, connection: Connection): Promise<boolean> {
  const { hookId, access } = connection;
  const { hooks } = context.hosts[connection.host];
  const of = { url: connection.url, token: access.token };
  const hook = { url: hookUrlOf(context, connection), secret: access.secret };
  try {
    if (hookId === null) connection.hookId = await hooks.add(of, connection, hook);
    else await hooks.change(of, connection, hookId, hook);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return hookFailed(context, connection, error);
  }
  // Only the webhook: the token may have been replaced during the request.
  if (connection.hookId !== hookId) await setHook(context.em(), connection);
  if (hookId !== null) await confirmSecret(context.em(), connection);
  return true;
}

async function hookFailed(
  { em, warn }: HookContext,
  connection: Connection,
  error: HostError,
): Promise<boolean> {
  if (!isRefused(error)) warn(error, LOG_MESSAGES.hookNotCreated(connection.id));
  if (connection.hookId === null) return false;
  if (isMissing(error)) {
    connection.hookId = null;
    await setHook(em(), connection);
    return false;
  }
  await postponeHook(em(), connection, error.passing ? RETRY_MS : REFUSED_RETRY_MS);
  return error.passing;
}

/** Writes the webhooks whose change failed, or whose node stopped before it ended. */
export async function putDueHooks(context: HookContext, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await leaseDueHooks(context.em(), BATCH_SIZE);
    await forEachConcurrently(
      due,
      BATCH_SIZE,
      async connection => void (await putHook(context, connection)),
      (error, { id }) => context.warn(error, LOG_MESSAGES.hookNotCreated(id)),
    );
    if (due.length < BATCH_SIZE) return;
  }
}
