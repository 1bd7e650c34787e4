import type { EntityManager } from "../../mixins/database.ts";
import { call } from "../../shared/contracts/bus.ts";
import type { AlertsNode } from "./alerts-node.ts";
import { deleteOldDeliveries, deleteTeamDeliveries, findTeams } from "./delivery.store.ts";
import { deleteOldMarks } from "./mark.store.ts";
import { deleteOldDecisions, deleteTeamStates } from "./state.store.ts";

/** Deliveries are to be read for as long as any plan keeps what they tell of. */
const DELIVERIES_KEPT_DAYS = 90;
/** Reports of one check come within minutes of each other, or, after a long outage, days. */
const DECISIONS_KEPT_DAYS = 30;
/** As far as charts go back. */
const MARKS_KEPT_DAYS = 90;
const AT_ONCE = 1_000;
/** In one question to the teams service. */
const TEAMS_AT_ONCE = 200;

/** Deletes what nobody needs any more. Any number of nodes may do it at once. */
export async function prune(
  { em, bus }: Pick<AlertsNode, "em" | "bus">,
  signal?: AbortSignal,
): Promise<void> {
  while ((await deleteOldDeliveries(em(), DELIVERIES_KEPT_DAYS, AT_ONCE)) === AT_ONCE)
    if (signal?.aborted) return;
  await deleteOldDecisions(em(), DECISIONS_KEPT_DAYS);
  await deleteOldMarks(em(), MARKS_KEPT_DAYS);
  for (let after = ""; !signal?.aborted; ) {
    const teams = await findTeams(em(), after, TEAMS_AT_ONCE);
    await forgetGone({ em, bus }, teams);
    const last = teams.at(-1);
    if (last === undefined || teams.length < TEAMS_AT_ONCE) return;
    after = last;
  }
}

/** Deletes all that there is of those of these teams that are gone for good, and nothing of the others. */
export async function forgetGone(
  { em, bus }: Pick<AlertsNode, "em" | "bus">,
  teams: string[],
): Promise<void> {
  if (teams.length === 0) return;
  const existing = new Set(await call(bus, "teams.existing", { ids: teams }));
  for (const teamId of teams) if (!existing.has(teamId)) await forgetTeam(em(), teamId);
}

async function forgetTeam(em: EntityManager, teamId: string): Promise<void> {
  await em.transactional(async tx => {
    await deleteTeamStates(tx, teamId);
    await deleteTeamDeliveries(tx, teamId);
  });
}
