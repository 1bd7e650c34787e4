import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";

/**
 * Queries about events that must not be repeated. The ids of deliveries are in headers, which no signature covers, so a
 * recorded delivery could be sent again with another id. `em` is one unit of work.
 */

/** As long as the checks that they change. */
const RETENTION = "interval '100 days'";

/** Returns what the signature of an event covers, as a digest. Connections have secrets of their own. */
export function eventDigest({
  installationId,
  payload,
}: {
  installationId: string | null;
  payload: string;
}): string {
  return createHash("sha256")
    .update(installationId ?? "")
    .update("\0")
    .update(payload)
    .digest("hex");
}

export async function isHandled(em: EntityManager, digest: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.handled_event where digest = ?", [digest]);
  return rows.length > 0;
}

/** Saves that an event was handled, so that its replays have no effect. */
export async function markHandled(em: EntityManager, digest: string): Promise<void> {
  await em.execute("insert into scm.handled_event (digest) values (?) on conflict do nothing", [digest]);
}

export async function deleteOldHandledEvents(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.handled_event where handled_at < now() - ${RETENTION}`);
}
