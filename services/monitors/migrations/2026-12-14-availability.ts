import { Migration } from "@mikro-orm/migrations";

/** The periods of rollups, and for how long stored checks are added to them. */
const UNITS = [
  { unit: "hour", days: 8 },
  { unit: "day", days: 92 },
] as const;

/** The project of the monitor's current site. Checks of an earlier URL don't count, as in later sums. */
const PROJECT = "'monitor/' || m.id || case when m.generation > 1 then '/' || m.generation else '' end";

/**
 * Adds sums of checks per hour and per day, for each route and for the whole monitor, so that uptime over 90 days
 * reads few rows. Stored checks are added. Earlier versions did not keep response times.
 */
export class AddAvailability extends Migration {
  override up(): void {
    this.addSql(`
      create table monitors.availability (
        monitor_id text not null references monitors.monitor (id) on delete cascade,
        generation int not null,
        unit text not null check (unit in ('hour', 'day')),
        at timestamptz not null,
        route text not null,
        up int not null,
        down int not null,
        responses int not null default 0,
        response_ms bigint not null default 0,
        slowest_ms int not null default 0,
        primary key (monitor_id, unit, at, route, generation)
      )`);
    this.addSql("create index availability_at on monitors.availability (unit, at)");
    for (const { unit, days } of UNITS) {
      const at = `date_trunc('${unit}', c.started_at at time zone 'UTC') at time zone 'UTC'`;
      const counted = `c.started_at > now() - interval '${days} days'
        and c.outcome in ('established', 'ok', 'changed', 'down') and c.target ->> 'project' = ${PROJECT}`;
      this.addSql(`
        insert into monitors.availability (monitor_id, generation, unit, at, route, up, down)
        select c.monitor_id, m.generation, '${unit}', ${at}, '',
          count(*) filter (where c.outcome <> 'down'), count(*) filter (where c.outcome = 'down')
        from monitors.check c join monitors.monitor m on m.id = c.monitor_id
        where ${counted} group by 1, 2, 4`);
      this.addSql(`
        insert into monitors.availability (monitor_id, generation, unit, at, route, up, down)
        select c.monitor_id, m.generation, '${unit}', ${at}, page.route,
          count(distinct c.id) filter (where not jsonb_exists(c.down_routes, page.route)),
          count(distinct c.id) filter (where jsonb_exists(c.down_routes, page.route))
        from monitors.check c join monitors.monitor m on m.id = c.monitor_id,
          jsonb_to_recordset(c.drift) as page (route text, state text)
        where ${counted} and (page.state <> 'failed' or jsonb_exists(c.down_routes, page.route))
        group by 1, 2, 4, 5`);
    }
  }

  override down(): void {
    this.addSql("drop table monitors.availability");
  }
}
