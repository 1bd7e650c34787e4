import type { EntityManager } from "../../mixins/database.ts";
import { dropQueued } from "./delivery.store.ts";
import { insertOptOut } from "./state.store.ts";

/** Writes to an address no more of a monitor. */
export async function unsubscribe(
  em: EntityManager,
  { monitorId, address }: { monitorId: string; address: string },
): Promise<void> {
  await em.transactional(async tx => {
    await insertOptOut(tx, monitorId, address);
    await dropQueued(tx, monitorId, "This address asked for no more mails of the monitor.", address);
  });
}
