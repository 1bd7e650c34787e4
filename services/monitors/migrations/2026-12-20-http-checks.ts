import { Migration } from "@mikro-orm/migrations";

/** Adds HTTP checks of monitors, and their results. */
export class AddHttpChecks extends Migration {
  override up(): void {
    this.addSql("alter table monitors.monitor add column http jsonb");
    this.addSql(`
      create table monitors.http_check (
        monitor_id text primary key references monitors.monitor (id) on delete cascade,
        leased_at timestamptz not null,
        last_result jsonb,
        since timestamptz,
        alerted boolean not null default false
      )`);
    this.addSql(`
      create table monitors.http_result (
        id bigint generated always as identity primary key,
        monitor_id text not null references monitors.monitor (id) on delete cascade,
        at timestamptz not null,
        result jsonb not null
      )`);
    this.addSql("create index http_result_monitor on monitors.http_result (monitor_id, id)");
    this.addSql("create index http_result_at on monitors.http_result (monitor_id, at)");
  }

  override down(): void {
    this.addSql("drop table monitors.http_result");
    this.addSql("drop table monitors.http_check");
    this.addSql("alter table monitors.monitor drop column http");
  }
}
