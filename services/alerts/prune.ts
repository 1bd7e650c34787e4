import type { EntityManager } from "../../mixins/database.ts";
import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import type { AlertsContext } from "./alerts-context.ts";
import { deleteOldMarks } from "./decisions/mark.store.ts";
import { deleteOldDecisions, deleteTeamStates } from "./decisions/state.store.ts";
import { deleteOldDeliveries, deleteTeamDeliveries, findTeams } from "./notifications/notification.store.ts";

/** Deliveries are to be read for as long as any plan keeps what they tell of. */
const DELIVERIES_KEPT_DAYS = 90;
/** Reports of one check come within minutes of each other, or, after a long outage, days. */
const DECISIONS_KEPT_DAYS = 30;
/** As far as charts go back. */
const MARKS_KEPT_DAYS = 90;
const AT_ONCE = 1_000;

/** Deletes what nobody needs any more. Any number of nodes may do it at once. */
export async function prune(
  { em, bus }: Pick<AlertsContext, "em" | "bus">,
  signal?: AbortSignal,
): Promise<void> {
  while ((await deleteOldDeliveries(em(), DELIVERIES_KEPT_DAYS, AT_ONCE)) === AT_ONCE)
    if (signal?.aborted) return;
  await deleteOldDecisions(em(), DECISIONS_KEPT_DAYS);
  await deleteOldMarks(em(), MARKS_KEPT_DAYS);
  await forgetGone({ em, bus }, await findTeams(em()), signal);
}

/** Deletes all that there is of those of these teams that are gone for good, and nothing of the others. */
export async function forgetGone(
  { em, bus }: Pick<AlertsContext, "em" | "bus">,
  teams: string[],
  signal?: AbortSignal,
): Promise<void> {
  await deleteGoneTeams(bus, teams, teamId => deleteTeamData(em(), teamId), signal);
}

async function deleteTeamData(em: EntityManager, teamId: string): Promise<void> {
  await em.transactional(async tx => {
    await deleteTeamStates(tx, teamId);
    await deleteTeamDeliveries(tx, teamId);
  });
}
