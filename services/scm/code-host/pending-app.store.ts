import type { EntityManager } from "../../../mixins/database.ts";

/** Queries about apps that operators create at the code host; `em` is one unit of work. */

/** The code host keeps its code for an hour. */
const WITHIN = "interval '1 hour'";

/** An app that an operator began to create. */
export interface PendingApp {
  stateHash: string;
  actorId: string;
  /** The organization that is to own it; null for the person's own account. */
  organization: string | null;
}

/** Writes one down, and removes those that took too long. */
export async function insertPendingApp(
  em: EntityManager,
  { stateHash, actorId, organization }: PendingApp,
): Promise<void> {
  await em.execute(`delete from scm.begun_app where created_at <= now() - ${WITHIN}`);
  await em.execute(
    "insert into scm.begun_app (state_hash, actor_id, organization, created_at) values (?, ?, ?, now())",
    [stateHash, actorId, organization],
  );
}

export async function findPendingApp(em: EntityManager, stateHash: string): Promise<PendingApp | null> {
  const [found]: PendingApp[] = await em.execute(
    `select state_hash as "stateHash", actor_id as "actorId", organization from scm.begun_app
     where state_hash = ? and created_at > now() - ${WITHIN}`,
    [stateHash],
  );
  return found ?? null;
}

/** Takes what this operator began, which can't be taken again. @returns whether there was anything, and not too long ago */
export async function takePendingApp(
  em: EntityManager,
  { stateHash, actorId }: Pick<PendingApp, "stateHash" | "actorId">,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `delete from scm.begun_app where state_hash = ? and actor_id = ? and created_at > now() - ${WITHIN} returning 1`,
    [stateHash, actorId],
  );
  return rows.length > 0;
}
