import { Migration } from "@mikro-orm/migrations";

/** Adds certificates of monitored sites, and since when monitors have no results. */
export class AddConditions extends Migration {
  override up(): void {
    this.addSql(`
      create table monitors.certificate (
        monitor_id text primary key references monitors.monitor (id) on delete cascade,
        origin text not null,
        expires_at timestamptz,
        lifetime_days int,
        issuer text,
        error text,
        checked_at timestamptz not null,
        alerted_days int
      )`);
    this.addSql("alter table monitors.monitor add column last_result_at timestamptz");
    this.addSql(`
      update monitors.monitor m set last_result_at = (
        select max(ended_at) from monitors.check c where c.monitor_id = m.id and c.outcome <> 'failed')`);
    this.addSql("alter table monitors.monitor add column scheduled_since timestamptz");
    this.addSql("update monitors.monitor set scheduled_since = now() where next_at is not null");
    this.addSql("alter table monitors.team add column unchecked_since timestamptz");
    this.addSql("alter table monitors.team add column unchecked_ids jsonb not null default '[]'");
    this.addSql("alter table monitors.team add column unchecked_reported boolean not null default false");
  }

  override down(): void {
    this.addSql("drop table monitors.certificate");
    this.addSql("alter table monitors.monitor drop column last_result_at");
    this.addSql("alter table monitors.monitor drop column scheduled_since");
    for (const column of ["unchecked_since", "unchecked_ids", "unchecked_reported"])
      this.addSql(`alter table monitors.team drop column ${column}`);
  }
}
