import type { EntityManager } from "../../mixins/database.ts";
import { deleteOldDeliveries, deleteTeamDeliveries, dropQueued } from "./delivery.store.ts";
import { deleteOldDecisions, deleteState, deleteTeamStates } from "./state.store.ts";

/** Deliveries are to be read for as long as any plan keeps what they tell of. */
const DELIVERIES_KEPT_DAYS = 90;
/** Reports of one check come within minutes of each other, or, after a long outage, days. */
const DECISIONS_KEPT_DAYS = 30;
const AT_ONCE = 1_000;

/** Deletes what nobody needs any more. Any number of nodes may do it at once. */
export async function prune(em: () => EntityManager): Promise<void> {
  while ((await deleteOldDeliveries(em(), DELIVERIES_KEPT_DAYS, AT_ONCE)) === AT_ONCE);
  await deleteOldDecisions(em(), DECISIONS_KEPT_DAYS);
}

/** Forgets a monitor: nothing more is sent of it. What was sent can still be read. */
export async function forgetMonitor(em: EntityManager, monitorId: string): Promise<void> {
  await em.transactional(async tx => {
    await deleteState(tx, monitorId);
    await dropQueued(tx, monitorId, "The monitor was deleted.");
  });
}

/** Deletes all that there is of a team. */
export async function forgetTeam(em: EntityManager, teamId: string): Promise<void> {
  await em.transactional(async tx => {
    await deleteTeamStates(tx, teamId);
    await deleteTeamDeliveries(tx, teamId);
  });
}
