import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";
import type { RepositoryName } from "../code-host/code-host.ts";
import type { WebhookSecrets } from "./webhook-secrets.rule.ts";

/** Queries about connections of repositories. `em` is one unit of work. */

const PURPOSE = "code host";

/** The encrypted part of a connection. Its secret proves that an event is of the code host. */
interface ConnectionAccess extends WebhookSecrets {
  token: string;
}

/** A team's access to a repository at a code host without an app. */
export interface Connection extends RepositoryName {
  id: string;
  teamId: string;
  host: ConnectedHost;
  /** The instance's URL, without a trailing slash. */
  url: string;
  /** The repository's number at the code host. */
  hostId: string;
  /** The project of its runs. */
  project: string;
  access: ConnectionAccess;
  /** Date; null for a token that never expires. */
  tokenExpiresAt: string | null;
  /** Whether this service replaces the token before it expires. */
  rotates: boolean;
  /** The webhook that this service created; null if members have to create it. */
  hookId: string | null;
  /** Whether the code host may not have the latest secret of that webhook. */
  isHookDue: boolean;
  /** Why the code host refuses the token; null while it accepts it. */
  error: string | null;
  lastEventAt: Date | null;
  createdBy: string;
  createdAt: Date;
}

const COLUMNS = `id, team_id as "teamId", host, url, host_id as "hostId", owner, repo, project, access,
  token_expires_at::text as "tokenExpiresAt", rotates, hook_id as "hookId", hook_due_at is not null as "isHookDue", error, last_event_at as "lastEventAt",
  created_by as "createdBy", created_at as "createdAt"`;

function opened(em: EntityManager, row: Connection): Connection {
  return {
    ...row,
    access: openJson(secretsOf(em), row.access, PURPOSE),
    lastEventAt: row.lastEventAt && new Date(row.lastEventAt),
    createdAt: new Date(row.createdAt),
  };
}

function sealed(em: EntityManager, access: ConnectionAccess): string {
  return JSON.stringify(sealJson(secretsOf(em), access, PURPOSE));
}

async function find(em: EntityManager, where: string, values: unknown[]): Promise<Connection[]> {
  const rows: Connection[] = await em.execute(`select ${COLUMNS} from scm.connection where ${where}`, values);
  return rows.map(row => opened(em, row));
}

/** Returns a team's connections, oldest first. */
export function findConnections(em: EntityManager, teamId: string): Promise<Connection[]> {
  return find(em, "team_id = ? order by id", [teamId]);
}

/** Returns a connection of any team. */
export async function findConnection(em: EntityManager, id: string): Promise<Connection | null> {
  const [found] = await find(em, "id = ?", [id]);
  return found ?? null;
}

/** Returns the project of a connection's runs. Null for an installation of the app, whose repository is the project. */
export async function findConnectedProject(
  em: EntityManager,
  installationId: string,
): Promise<string | null> {
  const rows: { project: string }[] = await em.execute("select project from scm.connection where id = ?", [
    installationId,
  ]);
  return rows[0]?.project ?? null;
}

/** Returns a team's connection of a repository. Names of code hosts ignore case. */
export async function findConnectionOf(
  em: EntityManager,
  teamId: string,
  { owner, repo }: RepositoryName,
): Promise<Connection | null> {
  const [found] = await find(em, "team_id = ? and lower(owner) = lower(?) and lower(repo) = lower(?)", [
    teamId,
    owner,
    repo,
  ]);
  return found ?? null;
}

/** Returns whether a team has connections. */
export async function hasConnections(em: EntityManager, teamId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.connection where team_id = ? limit 1", [teamId]);
  return rows.length > 0;
}

/** Returns a page of the teams with connections. @param after the last team of the page before */
export async function findConnectedTeams(em: EntityManager, after: string, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    "select distinct team_id as id from scm.connection where team_id > ? order by 1 limit ?",
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** Returns a connection of any team, locked until the transaction ends. Its token can be replaced at any time. */
export async function lockConnection(tx: EntityManager, id: string): Promise<Connection | null> {
  const [found] = await find(tx, "id = ? for update", [id]);
  return found ?? null;
}

/** Locks the connections of a team against others, so that their number stays within its bound. */
export async function lockConnections(tx: EntityManager, teamId: string): Promise<void> {
  await tx.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs connections ${teamId}`]);
}

export async function insertConnection(em: EntityManager, made: Connection): Promise<void> {
  const { id, teamId, host, url, hostId, owner, repo, project, access, tokenExpiresAt, rotates } = made;
  await em.execute(
    `insert into scm.connection (id, team_id, host, url, host_id, owner, repo, project, access, token_hash,
       token_expires_at, rotates, rotation_due_at, hook_id, created_by, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?::date, ?, now(), ?, ?, ?::timestamptz)`,
    [
      ...[id, teamId, host, url, hostId, owner, repo, project, sealed(em, access), hashKey(access.token)],
      ...[tokenExpiresAt, rotates, made.hookId, made.createdBy, made.createdAt.toISOString()],
    ],
  );
}

/** Writes what members change: the access, the project, and the names after the repository moved. */
export async function updateConnection(em: EntityManager, changed: Connection): Promise<void> {
  const { id, owner, repo, project, access, tokenExpiresAt, rotates, hookId, error } = changed;
  await em.execute(
    `update scm.connection set owner = ?, repo = ?, project = ?, access = ?::jsonb, token_hash = ?,
       token_expires_at = ?::date, rotates = ?, rotation_due_at = now(), hook_id = ?, error = ? where id = ?`,
    [
      ...[owner, repo, project, sealed(em, access), hashKey(access.token)],
      ...[tokenExpiresAt, rotates, hookId, error, id],
    ],
  );
}

/** Writes only the secrets of a connection whose token stays. */
export async function saveAccess(
  tx: EntityManager,
  { id, access }: Pick<Connection, "id" | "access">,
): Promise<void> {
  await tx.execute("update scm.connection set access = ?::jsonb where id = ?", [sealed(tx, access), id]);
}

export async function deleteConnection(em: EntityManager, teamId: string, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "delete from scm.connection where team_id = ? and id = ? returning id",
    [teamId, id],
  );
  return rows.length > 0;
}

/** Saves whether the code host accepts the token that a request had. A newer token is left alone. */
export async function markAccess(
  em: EntityManager,
  { id, access }: Pick<Connection, "id" | "access">,
  error: string | null,
): Promise<void> {
  await em.execute(
    "update scm.connection set error = ? where id = ? and token_hash = ? and error is distinct from ?",
    [error, id, hashKey(access.token), error],
  );
}

/** Saves that an event of the connection arrived. */
export async function markEvent(em: EntityManager, id: string): Promise<void> {
  await em.execute("update scm.connection set last_event_at = now() where id = ?", [id]);
}

/** A token is replaced when it expires within this time. */
const ROTATION_PERIOD = "interval '14 days'";
/** A failed attempt is repeated after this time. */
const ROTATION_RETRY = "interval '6 hours'";

/** Leases connections whose token expires soon and that this service should replace. One node gets each token. */
export async function leaseRotations(em: EntityManager, limit: number): Promise<Connection[]> {
  const rows: { id: string }[] = await em.execute(
    `update scm.connection set rotation_due_at = now() + ${ROTATION_RETRY} where id in (
       select min(id) from scm.connection
       where rotates and error is null and token_expires_at < now() + ${ROTATION_PERIOD}
       group by url, token_hash having max(rotation_due_at) <= now()
       order by min(token_expires_at) limit ?)
       and rotation_due_at <= now()
     returning id`,
    [limit],
  );
  const found = await Promise.all(rows.map(({ id }) => findConnection(em, id)));
  return found.filter(connection => connection !== null);
}

/** Writes a new token into every connection of the team that has the old one. */
export async function replaceToken(
  em: EntityManager,
  { teamId, url, access: old }: Connection,
  { token, expiresAt }: { token: string; expiresAt: string | null },
): Promise<void> {
  await em.transactional(async tx => {
    const where = "team_id = ? and url = ? and token_hash = ? for update";
    for (const each of await find(tx, where, [teamId, url, hashKey(old.token)]))
      await updateConnection(tx, {
        ...each,
        access: { ...each.access, token },
        tokenExpiresAt: expiresAt,
        error: null,
      });
  });
}
