import type { EntityManager } from "../../../mixins/database.ts";
import type { ThreadChange } from "../../../shared/contracts/runs/comments.ts";

/** Notes that the comments of a run changed, within the transaction that changes them. */
export async function noteThreadChange(tx: EntityManager, runId: string, teamId: string): Promise<void> {
  await tx.execute(
    `insert into runs.thread_change (run_id, team_id, changed_at) values (?, ?, clock_timestamp())
     on conflict (run_id) do update set changed_at = excluded.changed_at`,
    [runId, teamId],
  );
}

/** Lists the runs whose comments changed since then, the latest first. */
export async function findThreadChanges(
  em: EntityManager,
  { since, limit }: { since: string; limit: number },
): Promise<ThreadChange[]> {
  const rows: (Omit<ThreadChange, "changedAt"> & { changedAt: Date | string })[] = await em.execute(
    `select run_id as "runId", team_id as "teamId", changed_at as "changedAt" from runs.thread_change
     where changed_at >= ?::timestamptz order by changed_at desc limit ?`,
    [since, limit],
  );
  return rows.map(row => ({ ...row, changedAt: new Date(row.changedAt).toISOString() }));
}
