import { randomBytes } from "node:crypto";
import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import {
  type ChangeConnection,
  CONNECTIONS_PER_TEAM,
  type Connect,
  type ConnectedHost,
  type ConnectionList,
  type ConnectionView,
  type ConnectionWithSecret,
} from "../../../shared/contracts/code-host/connections.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { ActivityType } from "../../../shared/contracts/teams/people.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { requestBootstraps } from "../bootstrap/bootstrap.store.ts";
import { abandonChecks } from "../checks/check.store.ts";
import type { ScmContext } from "../scm-context.ts";
import { deleteConnectionData } from "../team-data.store.ts";
import { CONNECTION_ERRORS, HOST_NAMES } from "../texts/connections.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import * as store from "./connection.store.ts";
import { replaceSecret } from "./hook.store.ts";
import { type HookContext, hookUrlOf, putHook } from "./put-hook.ts";
import { readAccess } from "./read-access.ts";

/** The dependencies of the use cases about connections. */
export interface ConnectionContext extends HookContext, Pick<ScmContext, "bus" | "policy"> {
  /** Whether another installation does the runs. */
  isRemote: boolean;
}

/** Lists the team's connections, oldest first. */
export async function listConnections(
  context: ConnectionContext,
  { teamId }: Caller,
): Promise<ConnectionList> {
  const all = await store.findConnections(context.em(), teamId);
  return { data: all.map(each => viewOf(context, each)), nextCursor: null };
}

/** Returns a connection of the team. @throws ServiceError not_found */
export async function getConnection(
  context: ConnectionContext,
  { teamId }: Caller,
  id: string,
): Promise<ConnectionView> {
  return viewOf(context, await connectionOf(context, teamId, id));
}

/**
 * Connects a repository, and creates its webhook if the token may. Only this response has the webhook's secret.
 * @throws ServiceError invalid_request, conflict; unavailable if the code host does not respond
 */
export async function connect(
  context: ConnectionContext,
  caller: Caller,
  { host, repository, project, token, rotatesToken, bootstrap, ...given }: Connect,
): Promise<ConnectionWithSecret> {
  const { teamId, actor } = caller;
  if (context.isRemote) throw new ServiceError("conflict", CONNECTION_ERRORS.remote);
  const url = given.url ?? context.hosts[host].defaultUrl;
  if (url === null) throw invalidField("url", CONNECTION_ERRORS.noUrl);
  refuseInstance(context, host, url);
  const { tokenExpiresAt, ...seen } = await readAccess(context.hosts, host, { url, token }, repository);
  const made: store.Connection = {
    id: newId("con"),
    ...{ teamId, host, url, tokenExpiresAt, ...seen },
    project: project ?? `${seen.owner}/${seen.repo}`,
    access: { token, secret: newSecret() },
    rotates: rotatesToken,
    ...{ hookId: null, isHookDue: false, error: null, lastEventAt: null },
    createdBy: actor.name,
    createdAt: new Date(),
  };
  await context.em().transactional(async tx => {
    await store.lockConnections(tx, teamId);
    const all = await store.findConnections(tx, teamId);
    if (all.length >= CONNECTIONS_PER_TEAM)
      throw new ServiceError("conflict", CONNECTION_ERRORS.limit(CONNECTIONS_PER_TEAM));
    if (all.some(each => isSame(each, made)))
      throw new ServiceError("conflict", CONNECTION_ERRORS.connected(pathOf(made)));
    await store.insertConnection(tx, made);
  });
  await putHook(context, made);
  // The recovery sweep opens the merge request, because an instance may be slow.
  if (bootstrap)
    await requestBootstraps(
      context.em(),
      made.id,
      [{ id: made.id, owner: made.owner, repo: made.repo }],
      false,
    );
  await note(context, caller, "connection.created", made);
  return { ...viewOf(context, made), webhookSecret: made.access.secret };
}

/**
 * Changes the token or the project of a connection. Reads the repository again, which may have moved.
 * @throws ServiceError not_found, invalid_request; unavailable if the code host does not respond
 */
export async function changeConnection(
  context: ConnectionContext,
  caller: Caller,
  { id, body: { token, project, rotatesToken } }: { id: string; body: ChangeConnection },
): Promise<ConnectionView> {
  const before = await connectionOf(context, caller.teamId, id);
  const seen =
    token === undefined
      ? {}
      : await readAccess(
          context.hosts,
          before.host,
          { url: before.url, token },
          context.hosts[before.host].idOf(before),
        );
  if (rotatesToken === true && context.hosts[before.host].rotateToken === null)
    throw invalidField("rotatesToken", CONNECTION_ERRORS.notRotated);
  const changed = await context.em().transactional(async tx => {
    await store.lockConnections(tx, caller.teamId);
    const found = ofTeam(await store.lockConnection(tx, id), caller.teamId, id);
    const others = await store.findConnections(tx, caller.teamId);
    const next = {
      ...found,
      ...seen,
      ...(project !== undefined && { project }),
      ...(rotatesToken !== undefined && { rotates: rotatesToken }),
      ...(token !== undefined && { access: { ...found.access, token }, error: null }),
    };
    if (others.some(each => each.id !== id && isSame(each, next)))
      throw new ServiceError("conflict", CONNECTION_ERRORS.connected(pathOf(next)));
    await store.updateConnection(tx, next);
    return next;
  });
  if ((changed.hookId === null || changed.isHookDue) && token !== undefined) await putHook(context, changed);
  await note(context, caller, "connection.changed", changed);
  return viewOf(context, changed);
}

/**
 * Replaces the secret of a connection's webhook, also at the code host if this service created it there. Only this
 * response has the new one. The earlier one is accepted until shortly after the code host has the new one, at most for a day.
 * @throws ServiceError not_found
 */
export async function rotateSecret(
  context: ConnectionContext,
  caller: Caller,
  id: string,
): Promise<ConnectionWithSecret> {
  const changed = await context.em().transactional(async tx => {
    const found = ofTeam(await store.lockConnection(tx, id), caller.teamId, id);
    return replaceSecret(tx, found, newSecret());
  });
  const hasWebhook = await putHook(context, changed);
  await note(context, caller, "connection.changed", changed);
  return { ...viewOf(context, changed), hasWebhook, webhookSecret: changed.access.secret };
}

/** Disconnects a repository, and deletes the webhook that was created for it. @throws ServiceError not_found */
export async function disconnect(context: ConnectionContext, caller: Caller, id: string): Promise<null> {
  const found = await connectionOf(context, caller.teamId, id);
  const isDeleted = await context.em().transactional(async tx => {
    if (!(await store.deleteConnection(tx, caller.teamId, id))) return false;
    await deleteConnectionData(tx, id);
    await abandonChecks(tx, id);
    return true;
  });
  if (!isDeleted) return null;
  if (found.hookId !== null)
    await context.hosts[found.host].hooks
      .delete(accessOf(found), found, found.hookId)
      .catch(error => context.warn(error, LOG_MESSAGES.hookNotDeleted(id)));
  await note(context, caller, "connection.deleted", found);
  return null;
}

async function connectionOf(
  { em }: ConnectionContext,
  teamId: string,
  id: string,
): Promise<store.Connection> {
  return ofTeam(await store.findConnection(em(), id), teamId, id);
}

/** Hides a connection from other teams. @throws ServiceError not_found */
function ofTeam(found: store.Connection | null, teamId: string, id: string): store.Connection {
  if (found?.teamId !== teamId) throw notFound("connection", id);
  return found;
}

/** Refuses private addresses, and addresses without TLS, except on hosts that the operator allows. */
function refuseInstance({ policy, hosts }: ConnectionContext, host: ConnectedHost, value: string): void {
  const url = new URL(value);
  const refusal = refuseUrl(url, policy);
  if (refusal !== null) throw invalidField("url", CONNECTION_ERRORS.notAllowed(refusal));
  const isAllowed = policy.allowed.has(url.hostname) || policy.allowed.has(url.host);
  const { defaultUrl, hasInstances } = hosts[host];
  if (!hasInstances && value !== defaultUrl && !isAllowed)
    throw invalidField("url", CONNECTION_ERRORS.noInstances(HOST_NAMES[host]));
  if (url.protocol !== "https:" && !isAllowed) throw invalidField("url", CONNECTION_ERRORS.notHttps);
}

/** The bytes of a webhook's secret. */
const SECRET_BYTES = 32;

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

function isSame(one: store.Connection, other: store.Connection): boolean {
  return pathOf(one).toLowerCase() === pathOf(other).toLowerCase();
}

function pathOf({ owner, repo }: store.Connection): string {
  return `${owner}/${repo}`;
}

function accessOf({ url, access }: store.Connection): { url: string; token: string } {
  return { url, token: access.token };
}

async function note(
  { bus }: ConnectionContext,
  { teamId, actor }: Caller,
  type: ActivityType,
  connection: store.Connection,
): Promise<void> {
  const details = { id: connection.id };
  await emit(bus, "activity.noted", {
    id: newId("act"),
    teamId,
    type,
    actor,
    target: pathOf(connection),
    details,
  });
}

function viewOf(context: ConnectionContext, connection: store.Connection): ConnectionView {
  const { id, host, url, project, error, tokenExpiresAt, rotates, hookId, lastEventAt } = connection;
  return {
    ...{ id, host, url, project, error, tokenExpiresAt },
    repository: pathOf(connection),
    state: error === null ? "connected" : "refused",
    rotatesToken: rotates,
    webhookUrl: hookUrlOf(context, connection),
    hasWebhook: hookId !== null,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    createdBy: connection.createdBy,
    createdAt: connection.createdAt.toISOString(),
  };
}
