import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { listProcesses } from "../../test/support/drivers/list-processes.ts";
import { query } from "../../test/support/servers/postgres-server.ts";
import { median } from "../support/figures.ts";
import { megabytesOf } from "../support/memory.ts";
import type { SoakContext } from "./soak-context.ts";

const INTERVAL_MS = 5_000;
/** What a figure may grow by between the second quarter of the time and the last: a share, and an absolute amount. */
const LIMITS = { MB: { share: 1.25, more: 40 }, count: { share: 1.25, more: 15 } } as const;

type Unit = keyof typeof LIMITS;

/** Values of a figure over time. */
export interface Curve {
  name: string;
  unit: Unit;
  values: number[];
}

/** Returns the folder of the spared nodes' temporary files. */
export function sparedFolder(temporary: string): string {
  return join(temporary, "spared");
}

/** Records the figures of the spared nodes and the servers until the signal aborts. */
export async function watchGrowth(context: SoakContext): Promise<Curve[]> {
  const curves = new Map<string, Curve>();
  while (!context.signal.aborted) {
    for (const { name, unit, values } of await sample(context)) {
      const curve = curves.get(name) ?? { name, unit, values: [] };
      curve.values.push(...values);
      curves.set(name, curve);
    }
    await delay(INTERVAL_MS, undefined, { signal: context.signal }).catch(() => {});
  }
  return [...curves.values()];
}

async function sample({ cluster, spared, temporary }: SoakContext): Promise<Curve[]> {
  const processes = await listProcesses();
  const descendants = (pid: number): number =>
    processes
      .filter(({ parent }) => parent === pid)
      .reduce((sum, child) => sum + 1 + descendants(child.pid), 0);
  const ofNodes = spared.flatMap(async node => [
    { name: `${node}: memory`, unit: "MB" as const, values: [megabytesOf(node.pid).tree] },
    {
      name: `${node}: open files`,
      unit: "count" as const,
      values: [(await readdir(`/proc/${node.pid}/fd`)).length],
    },
    { name: `${node}: processes`, unit: "count" as const, values: [descendants(node.pid)] },
  ]);
  const ofServers = [
    count("temporary files", async () => (await readdir(sparedFolder(temporary))).length),
    count("connections of PostgreSQL", async () => {
      const [row] = await query(cluster.databaseUrl, "select count(*)::int as n from pg_stat_activity");
      return Number(row?.n);
    }),
    count("connections of NATS", async () => {
      const response = await fetch(`http://127.0.0.1:${cluster.nats.monitorPort}/varz`);
      return z.object({ connections: z.number() }).parse(await response.json()).connections;
    }),
  ];
  return (await Promise.all([...ofNodes, ...ofServers])).flat();
}

/** Reads a figure of a server, which may be down. */
async function count(name: string, read: () => Promise<number>): Promise<Curve[]> {
  return read().then(
    value => [{ name, unit: "count", values: [value] }],
    () => [],
  );
}

/** Returns the median in the second quarter of the time and in the last, and whether that is growth. */
export function growthOf({ unit, values }: Curve): { early: number; late: number; grows: boolean } {
  const quarter = Math.floor(values.length / 4);
  const early = median(values.slice(quarter, 2 * quarter));
  const late = median(values.slice(-Math.max(quarter, 1)));
  const { share, more } = LIMITS[unit];
  return { early, late, grows: late > early * share && late > early + more };
}
