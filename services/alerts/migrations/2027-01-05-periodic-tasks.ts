import { Migration } from "@mikro-orm/migrations";

/** Adds the times of tasks that one node does for all. */
export class PeriodicTasks extends Migration {
  override up(): void {
    this.addSql("create table alerts.periodic_task (name text primary key, done_at timestamptz not null)");
  }

  override down(): void {
    this.addSql("drop table alerts.periodic_task");
  }
}
