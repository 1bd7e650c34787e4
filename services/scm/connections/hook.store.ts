import type { EntityManager } from "../../../mixins/database.ts";
import { type Connection, findConnection, lockConnection, saveAccess } from "./connection.store.ts";
import { confirmed, withSecret } from "./webhook-secrets.rule.ts";

/** Queries about the webhooks of connections. `em` is one unit of work. */

/** Longer than the request that follows. If its node stops, the recovery sweep repeats it. */
const LEASE_DURATION = "interval '2 minutes'";

/**
 * Replaces the secret of a connection's webhook before the code host has it. The earlier secret stays valid meanwhile.
 * @param tx holds the lock of the connection
 */
export async function replaceSecret(
  tx: EntityManager,
  connection: Connection,
  secret: string,
): Promise<Connection> {
  const access = withSecret(connection.access, secret, Date.now());
  await saveAccess(tx, { id: connection.id, access });
  await tx.execute(
    `update scm.connection set hook_due_at = now() + ${LEASE_DURATION} where id = ? and hook_id is not null`,
    [connection.id],
  );
  return { ...connection, access };
}

/**
 * Saves that the code host has a secret, so that the earlier ones end soon. If a later one was saved meanwhile, the code
 * host gets it soon.
 */
export async function confirmSecret(em: EntityManager, { id, access }: Connection): Promise<void> {
  await em.transactional(async tx => {
    const found = await lockConnection(tx, id);
    if (!found) return;
    if (found.access.secret !== access.secret) return postponeHook(tx, found, 0);
    await saveAccess(tx, { id, access: confirmed(found.access, Date.now()) });
    await tx.execute("update scm.connection set hook_due_at = null where id = ?", [id]);
  });
}

/** Writes the webhook that the service created; null if members have to create it. Nothing else changes. */
export async function setHook(em: EntityManager, { id, hookId }: Connection): Promise<void> {
  await em.execute(
    "update scm.connection set hook_id = ?, hook_due_at = case when ?::text is null then null else hook_due_at end where id = ?",
    [hookId, hookId, id],
  );
}

/** Schedules another attempt to write a webhook at the code host. */
export async function postponeHook(em: EntityManager, { id }: Connection, forMs: number): Promise<void> {
  await em.execute(
    "update scm.connection set hook_due_at = now() + make_interval(secs => ?) where id = ? and hook_id is not null",
    [forMs / 1_000, id],
  );
}

/** Leases connections whose webhook still has to be written at the code host. */
export async function leaseDueHooks(em: EntityManager, limit: number): Promise<Connection[]> {
  const rows: { id: string }[] = await em.execute(
    `update scm.connection set hook_due_at = now() + ${LEASE_DURATION} where id in (
       select id from scm.connection where hook_due_at <= now() order by hook_due_at limit ? for update skip locked)
     returning id`,
    [limit],
  );
  const found = await Promise.all(rows.map(({ id }) => findConnection(em, id)));
  return found.filter(connection => connection !== null);
}
