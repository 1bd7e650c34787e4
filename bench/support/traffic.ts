import pg from "pg";
import { z } from "zod";
import type { NatsServer } from "../../test/support/servers/nats-server.ts";

const traffic = z.object({
  in_msgs: z.number(),
  in_bytes: z.number(),
  out_msgs: z.number(),
  out_bytes: z.number(),
});

/** What a NATS server received and sent since its start, by its own statistics. */
type BusTraffic = z.infer<typeof traffic>;

export async function busTraffic(nats: NatsServer): Promise<BusTraffic> {
  const response = await fetch(`http://127.0.0.1:${nats.monitorPort}/varz`);
  return traffic.parse(await response.json());
}

/** Returns the number of transactions that a database has committed. */
export async function databaseCommits(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ commits: string }>(
      "select xact_commit as commits from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.commits);
  } finally {
    await client.end();
  }
}
