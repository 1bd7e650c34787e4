import type { EntityManager } from "../../mixins/database.ts";
import type { PlanName } from "../../shared/contracts/billing/usage.ts";

/** A change to publish to the team and the other services. Its id is that of the activity entry. */
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

/** Returns changes of some age that were not published, because their node stopped in between. */
export function findUnpublishedChanges(em: EntityManager, minMs: number): Promise<Change[]> {
  return em.execute(
    `select id, team_id as "teamId", type, plan, was, grace_until as "graceUntil" from billing.change
     where published_at is null and at < now() - make_interval(secs => ?) order by at limit 1000`,
    [minMs / 1_000],
  );
}

export async function markChangePublished(em: EntityManager, id: string): Promise<void> {
  await em.execute("update billing.change set published_at = now() where id = ?", [id]);
}

/** Deletes changes that were published some days ago. */
export async function deleteChanges(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from billing.change where published_at < now() - make_interval(days => ?)", [
    days,
  ]);
}
