import { Migration } from "@mikro-orm/migrations";

/** Adds the times of tasks that one node does for all, and an index that finds the installations of a team. */
export class PeriodicTasks extends Migration {
  override up(): void {
    this.addSql("create table platform.periodic_task (name text primary key, done_at timestamptz not null)");
    this.addSql("create index team_team on platform.team (team_id)");
  }

  override down(): void {
    this.addSql("drop index platform.team_team");
    this.addSql("drop table platform.periodic_task");
  }
}
