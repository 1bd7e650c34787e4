import type { EntityManager } from "../../../mixins/database.ts";
import { type ApiKey, ApiKeyEntity } from "./api-key.entity.ts";

/** A short-lived key that stands for an API key. */
export interface ExchangedKey {
  hash: string;
  keyId: string;
  /** Identifies the token that it was exchanged for. */
  tokenId: string;
  expiresAt: Date;
  /** When the token is no longer valid. Until then, it must not be exchanged again. */
  forgetAt: Date;
}

/** Finds the key of a team for the CI jobs of a repository, the newest first. */
export async function findKeyForRepository(
  em: EntityManager,
  { teamId, project, repository }: { teamId: string; project: string; repository: string },
): Promise<ApiKey | null> {
  const [row]: { id: string }[] = await em.execute(
    `select k.id from teams.api_key k join teams.team t on t.id = k.team_id and t.deleted_at is null
     where k.team_id = ? and k.upload_project = ? and lower(k.upload_repository) = lower(?) and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now())
     order by k.id desc limit 1`,
    [teamId, project, repository],
  );
  return row ? em.findOne(ApiKeyEntity, { id: row.id }) : null;
}

/** Inserts a key, unless its token was exchanged before. @returns whether it was inserted */
export async function insertExchangedKey(em: EntityManager, key: ExchangedKey): Promise<boolean> {
  const rows: object[] = await em.execute(
    `insert into teams.exchanged_key (hash, key_id, token_id, expires_at, forget_at) values (?, ?, ?, ?, ?)
     on conflict (token_id) do nothing returning hash`,
    [key.hash, key.keyId, key.tokenId, key.expiresAt, key.forgetAt],
  );
  return rows.length === 1;
}

/** Finds the key that a valid short-lived key stands for, also a revoked one. */
export async function findKeyOfExchanged(em: EntityManager, hash: string): Promise<ApiKey | null> {
  const [row]: { id: string }[] = await em.execute(
    "select key_id as id from teams.exchanged_key where hash = ? and expires_at > now()",
    [hash],
  );
  return row ? em.findOne(ApiKeyEntity, { id: row.id }) : null;
}

/** Deletes expired keys whose tokens are no longer valid. */
export async function deleteExpiredKeys(em: EntityManager): Promise<void> {
  await em.execute("delete from teams.exchanged_key where greatest(expires_at, forget_at) < now()");
}
