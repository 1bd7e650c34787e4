import { Migration } from "@mikro-orm/migrations";

/** Adds maintenance windows, and whether a check ran in one. */
export class AddMaintenance extends Migration {
  override up(): void {
    this.addSql(`
      create table monitors.maintenance (
        id text primary key,
        team_id text not null,
        title text not null,
        monitor_ids jsonb,
        mode text not null,
        schedule jsonb not null,
        next_from timestamptz,
        next_until timestamptz,
        ended_at timestamptz,
        created_by text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql("create index maintenance_team on monitors.maintenance (team_id, id)");
    // Only these are asked for every few seconds.
    this.addSql(
      "create index maintenance_current on monitors.maintenance (team_id, next_from) where next_until is not null",
    );
    this.addSql("alter table monitors.check add column in_maintenance boolean not null default false");
  }

  override down(): void {
    this.addSql("alter table monitors.check drop column in_maintenance");
    this.addSql("drop table monitors.maintenance");
  }
}
