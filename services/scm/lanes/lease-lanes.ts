import type { EntityManager } from "../../../mixins/database.ts";
import type { FullLanes, Lane } from "./lanes.ts";

/** The parts of a statement that leases rows of a table whose work goes to code hosts. */
interface LaneLease {
  /** The table. Its column `installation_id` is the installation or connection, or null. */
  table: string;
  /** Columns of the table's primary key. */
  key?: string;
  /** Marks a row as leased. */
  set: string;
  /** The rows that are due and not leased, without parameters. */
  where: string;
  /** The column with the time since when a row is due. */
  dueAt: string;
  /** The lane of a row, if it is not its installation. */
  lane?: string;
  /** The team of a row without a connection. By default, it is the app's. */
  team?: string;
  /** Columns to return, beside those of the lane. */
  returning?: string;
}

/** The lane, host, and team of rows without a connection: the app's. */
const APP = "'app'";
const CONNECTION = "from scm.connection c where c.id = installation_id";
const LANE = `coalesce(installation_id, ${APP})`;
const HOST = `coalesce((select c.url ${CONNECTION}), ${APP})`;

/**
 * Leases due rows: the longest overdue one of each host and team, and none of full lanes. Concurrent statements get
 * different rows.
 */
export function leaseLanes<T>(
  em: EntityManager,
  { table, key = "id", set, where, dueAt, lane = LANE, team = APP, returning = key }: LaneLease,
  { lanes, hosts, teams }: FullLanes,
): Promise<(T & Lane)[]> {
  const teamOf = `coalesce((select c.team_id ${CONNECTION}), ${team})`;
  const isFull = (column: string) => `${column} in (select jsonb_array_elements_text(?::jsonb))`;
  return em.execute(
    `update ${table} set ${set} where (${key}) in (
       select ${key} from ${table} where ${where} and (${key}) in (
         select distinct on (team) ${key} from (
           select distinct on (host) ${key}, team, due_since from (
             select ${key}, ${dueAt} as due_since, ${lane} as lane, ${HOST} as host, ${teamOf} as team
             from ${table} where ${where}) due
           where not ${isFull("lane")} and not ${isFull("host")} and not ${isFull("team")}
           order by host, due_since) of_hosts
         order by team, due_since)
       for update skip locked)
     returning ${returning}, ${lane} as lane, ${HOST} as host, ${teamOf} as team`,
    [JSON.stringify(lanes), JSON.stringify(hosts), JSON.stringify(teams)],
  );
}
