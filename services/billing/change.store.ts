import type { EntityManager } from "../../mixins/database.ts";
import type { PlanName } from "../../shared/contracts/billing/usage.ts";

/** Something that a team and the other services are to be told of; its id is that of the entry in the activity. */
export interface Change {
  id: string;
  teamId: string;
  type: "plan.changed" | "payment.failed";
  plan: PlanName;
  was: PlanName;
  graceUntil: Date | null;
}

export async function addChange(tx: EntityManager, change: Change): Promise<void> {
  const { id, teamId, type, plan, was, graceUntil } = change;
  await tx.execute(
    `insert into billing.change (id, team_id, type, plan, was, grace_until) values (?, ?, ?, ?, ?, ?)`,
    [id, teamId, type, plan, was, graceUntil],
  );
}

/** Changes that were written down so long ago, and not told: their node went away in between. */
export function findUntoldChanges(em: EntityManager, minMs: number): Promise<Change[]> {
  return em.execute(
    `select id, team_id as "teamId", type, plan, was, grace_until as "graceUntil" from billing.change
     where told_at is null and at < now() - make_interval(secs => ?) order by at limit 1000`,
    [minMs / 1_000],
  );
}

export async function markChangeTold(em: EntityManager, id: string): Promise<void> {
  await em.execute("update billing.change set told_at = now() where id = ?", [id]);
}

/** Forgets changes that were told so long ago. */
export async function deleteChanges(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from billing.change where told_at < now() - make_interval(days => ?)", [days]);
}
