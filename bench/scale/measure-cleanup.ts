import type { Client } from "pg";
import { migrations } from "../../services/runs/migrations/index.ts";
import { pruneRuns } from "../../services/runs/retention/prune-runs.ts";
import { deleteOldRuns } from "../../services/runs/retention/retention.store.ts";
import { RunEntity } from "../../services/runs/run.entity.ts";
import { DatabaseNode } from "../../test/support/databases/database-node.ts";
import { TEST_SECRET_KEY } from "../../test/support/drivers/api-access.ts";
import type { Figure } from "./figure.ts";
import type { Size } from "./sizes.ts";

const RETENTION_DAYS = 90;
/** As the cleanup deletes them. */
const BATCH_SIZE = 10;

/** Lets the runs of one team exceed their retention, and deletes them as the hourly cleanup does. */
export async function measureCleanup(
  database: Client,
  databaseUrl: string,
  { teams }: Size,
): Promise<Figure[]> {
  const node = await DatabaseNode.start(
    { DATABASE_URL: databaseUrl, SERVICE_SECRET_KEY: TEST_SECRET_KEY },
    { schema: "runs", entities: [RunEntity], migrations },
  );
  try {
    await prune(node, database);
    const idleMs = await prune(node, database);
    const { rows } = await database.query<{ team: string }>(
      `update runs.run set completed_at = now() - interval '1 year'
       where team_id = (select max(team_id) from runs.project) returning team_id as team`,
    );
    const team = rows[0]?.team ?? "";
    const startedAt = performance.now();
    for (let left = rows.length; left > 0; left -= BATCH_SIZE) {
      const deleted = await deleteOldRuns(node.em(), team, RETENTION_DAYS, BATCH_SIZE);
      if (deleted.length === 0) throw new Error(`${left} old runs were not deleted.`);
    }
    const deletedMs = performance.now() - startedAt;
    return [
      { title: "cleanup, for each team without old runs", unit: "ms", value: idleMs / teams },
      {
        title: "cleanup, for each deleted run",
        unit: "ms",

        value: deletedMs / rows.length,
      },
    ];
  } finally {
    await node.stop();
  }
}

async function prune(node: DatabaseNode, database: Client): Promise<number> {
  await database.query("update runs.periodic_task set done_at = now() - interval '1 day'");
  const startedAt = performance.now();
  await pruneRuns(
    {
      em: node.em,
      bus: {
        // Every team still exists.
        call: async (_name, params) => Reflect.get(params, "ids"),
        emit: async () => {},
        broadcast: async () => {},
      },
      retentionDays: async () => RETENTION_DAYS,
      onRunDeleted: () => {},
      deleteTeam: async () => {},
      warn(error, what) {
        throw new Error(what, { cause: error });
      },
    },
    new AbortController().signal,
  );
  return performance.now() - startedAt;
}
