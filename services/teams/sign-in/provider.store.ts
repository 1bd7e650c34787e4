import {
  type EntityManager,
  openJson,
  type SealedColumn,
  sealJson,
  secretsOf,
} from "../../../mixins/database.ts";
import type { OidcClient } from "../../../shared/environment/oidc-variables.ts";

const PURPOSE = "identity provider";

/** A team's own provider. */
export interface StoredProvider extends OidcClient {
  teamId: string;
  changedAt: Date;
}

/** Columns with secrets. A provider without its secret can't sign anyone in, so it is deleted with a lost key. */
export const sealedColumns: SealedColumn[] = [
  {
    ...{ table: "teams.provider", key: "team_id", purpose: PURPOSE, value: "client_secret" },
    set: "client_secret = ?::jsonb",
    where: "true",
    drop: "delete from teams.provider",
  },
  {
    ...{ table: "teams.session", key: "id", purpose: "sign-in token", value: "id_token" },
    set: "id_token = ?::jsonb",
    where: "id_token is not null",
    drop: "update teams.session set id_token = null",
  },
];

const COLUMNS = `team_id as "teamId", name, issuer, client_id as "clientId", client_secret as "clientSecret",
  scopes, groups_claim as "groupsClaim", changed_at as "changedAt"`;

function opened(em: EntityManager, row: StoredProvider | undefined): StoredProvider | null {
  if (!row) return null;
  const clientSecret = openJson(secretsOf(em), row.clientSecret, PURPOSE);
  return { ...row, clientSecret, changedAt: new Date(row.changedAt) };
}

/** Finds a team's own provider. */
export async function findProviderOf(em: EntityManager, teamId: string): Promise<StoredProvider | null> {
  const rows: StoredProvider[] = await em.execute(`select ${COLUMNS} from teams.provider where team_id = ?`, [
    teamId,
  ]);
  return opened(em, rows[0]);
}

/** Inserts a team's provider, or changes it. */
export async function putProvider(
  tx: EntityManager,
  { teamId, name, issuer, clientId, clientSecret, scopes, groupsClaim }: Omit<StoredProvider, "changedAt">,
): Promise<void> {
  const sealed = JSON.stringify(sealJson(secretsOf(tx), clientSecret, PURPOSE));
  await tx.execute(
    `insert into teams.provider (team_id, name, issuer, client_id, client_secret, scopes, groups_claim)
     values (?, ?, ?, ?, ?::jsonb, ?, ?)
     on conflict (team_id) do update
       set name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
         client_secret = excluded.client_secret, scopes = excluded.scopes, groups_claim = excluded.groups_claim,
         changed_at = clock_timestamp()`,
    [teamId, name, issuer, clientId, sealed, scopes, groupsClaim],
  );
}

/** Deletes a team's provider. @returns whether there was one */
export async function deleteProvider(tx: EntityManager, teamId: string): Promise<boolean> {
  const rows: object[] = await tx.execute("delete from teams.provider where team_id = ? returning team_id", [
    teamId,
  ]);
  return rows.length === 1;
}

/** Remembers the id of a logout token. @returns whether it is new */
export async function rememberLogoutToken(
  tx: EntityManager,
  provider: string,
  { id, validUntil }: { id: string; validUntil: Date },
): Promise<boolean> {
  const rows: object[] = await tx.execute(
    `insert into teams.logout_token (provider, token_id, forget_at) values (?, ?, ?)
     on conflict do nothing returning provider`,
    [provider, id, validUntil],
  );
  return rows.length === 1;
}

export async function deleteOldLogoutTokens(em: EntityManager): Promise<void> {
  await em.execute("delete from teams.logout_token where forget_at < now()");
}
