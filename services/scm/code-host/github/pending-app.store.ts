import type { EntityManager } from "../../../../mixins/database.ts";

/** Queries about apps that operators are creating at the code host. `em` is one unit of work. */

/** The code host's code is valid for an hour. */
const EXPIRES_AFTER = "interval '1 hour'";

/** An app whose creation an operator started. */
export interface PendingApp {
  stateHash: string;
  actorId: string;
  /** The organization that will own it; null for the operator's own account. */
  organization: string | null;
}

/** Inserts a pending app, and deletes expired ones. */
export async function insertPendingApp(
  em: EntityManager,
  { stateHash, actorId, organization }: PendingApp,
): Promise<void> {
  await em.execute(`delete from scm.pending_app where created_at <= now() - ${EXPIRES_AFTER}`);
  await em.execute(
    "insert into scm.pending_app (state_hash, actor_id, organization, created_at) values (?, ?, ?, now())",
    [stateHash, actorId, organization],
  );
}

export async function findPendingApp(em: EntityManager, stateHash: string): Promise<PendingApp | null> {
  const [found]: PendingApp[] = await em.execute(
    `select state_hash as "stateHash", actor_id as "actorId", organization from scm.pending_app
     where state_hash = ? and created_at > now() - ${EXPIRES_AFTER}`,
    [stateHash],
  );
  return found ?? null;
}

/** Deletes an operator's pending app, so that it is used only once. @returns whether it existed and had not expired */
export async function deletePendingApp(
  em: EntityManager,
  { stateHash, actorId }: Pick<PendingApp, "stateHash" | "actorId">,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `delete from scm.pending_app where state_hash = ? and actor_id = ? and created_at > now() - ${EXPIRES_AFTER} returning 1`,
    [stateHash, actorId],
  );
  return rows.length > 0;
}
