import { Migration } from "@mikro-orm/migrations";

/** What charts are drawn from: a check's largest difference, and its monitor's checks by time. */
export class Series extends Migration {
  override up(): void {
    this.addSql("alter table monitors.check add column worst double precision");
    this.addSql(`
      update monitors.check set worst = (
        select max(page.ratio) from jsonb_to_recordset(drift) as page (ratio double precision))
      where ended_at is not null`);
    this.addSql("create index check_time on monitors.check (monitor_id, started_at)");
  }
}
