import { Migration } from "@mikro-orm/migrations";

/** When people were told of a monitor, and when they were not to be. */
export class Marks extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.mark (
        id bigint generated always as identity primary key,
        monitor_id text not null,
        team_id text not null,
        kind text not null check (kind in ('changed', 'down', 'recovered', 'snoozed')),
        check_id text,
        at timestamptz not null default now(),
        until timestamptz
      )`);
    this.addSql("create index mark_monitor on alerts.mark (monitor_id, at)");
    this.addSql("create index mark_team on alerts.mark (team_id)");
    this.addSql("create index mark_at on alerts.mark (at)");
  }
}
