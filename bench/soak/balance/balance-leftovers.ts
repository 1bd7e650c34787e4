import { readFile } from "node:fs/promises";
import { listProcesses } from "../../../test/support/drivers/list-processes.ts";
import type { SoakContext } from "../soak-context.ts";
import { type Entry, rowsOf, untilSettled } from "./balance.ts";

/** Columns that name a row of another table, which may belong to another service. */
const OWNERS: Readonly<Record<string, string>> = {
  run_id: "runs.run",
  screenshot_id: "runs.screenshot",
  monitor_id: "monitors.monitor",
};

/** Checks that the row exists which each row belongs to. The soak deletes neither runs nor monitors. */
export async function balanceRows(context: SoakContext): Promise<Entry> {
  const columns = await rowsOf(
    context,
    `select c.table_schema as schema, c.table_name as table, c.column_name as column
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.data_type in ('text', 'character varying')
       and c.column_name in (${Object.keys(OWNERS).map(name => `'${name}'`)})`,
  );
  const failures: string[] = [];
  for (const { schema, table, column } of columns) {
    const owner = OWNERS[String(column)];
    const [row] = await rowsOf(
      context,
      `select count(*)::int as n from ${schema}.${table} r
       where r.${column} is not null and not exists (select from ${owner} o where o.id = r.${column})`,
    );
    if (Number(row?.n) > 0) failures.push(`${row?.n} rows of ${schema}.${table} have no ${owner}`);
  }
  return { name: "no row without its owner", summary: `${columns.length} columns`, failures };
}

/** Checks that no browser outlives its renderer. */
export async function balanceProcesses(context: SoakContext): Promise<Entry> {
  let browsers = 0;
  const failures = await untilSettled(async () => {
    const renderers = context.cluster.with("renderer").filter(node => !node.ended);
    const parents = new Set(renderers.map(node => node.pid));
    const found = await browsersOf(context.temporary);
    browsers = found.length;
    return found
      .filter(({ parent }) => !parents.has(parent))
      .map(({ pid }) => `the browser with the process id ${pid} belongs to no renderer`);
  });
  return { name: "no browser without its renderer", summary: `${browsers} browsers`, failures };
}

/** Returns the main processes of the browsers that have their profile below a folder. */
async function browsersOf(folder: string): Promise<{ pid: number; parent: number }[]> {
  const processes = await listProcesses();
  const commands = await Promise.all(
    processes.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return processes.filter((_, index) => {
    const command = commands[index] ?? "";
    return command.includes(`--user-data-dir=${folder}`) && !command.includes("--type=");
  });
}
