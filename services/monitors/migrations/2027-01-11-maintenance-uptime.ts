import { Migration } from "@mikro-orm/migrations";

/** Leaves checks in maintenance out of the number of checks in which a site was up or down. */
export class LeaveOutMaintenance extends Migration {
  override up(): void {
    this.addSql(countMaintenance("-"));
  }

  override down(): void {
    this.addSql(countMaintenance("+"));
  }
}

function countMaintenance(sign: "+" | "-"): string {
  return `
    update monitors.monitor m set checks_up = m.checks_up ${sign} c.up, checks_down = m.checks_down ${sign} c.down
    from (
      select monitor_id, count(*) filter (where outcome in ('established', 'ok', 'changed'))::int as up,
        count(*) filter (where outcome = 'down')::int as down
      from monitors.check where in_maintenance and ended_at is not null group by monitor_id
    ) c where m.id = c.monitor_id`;
}
