import { Migration } from "@mikro-orm/migrations";

/** Adds which monitors an incident stands for, if it stands for several of a team. */
export class AddCoveredMonitors extends Migration {
  override up(): void {
    this.addSql("alter table alerts.incident add column covered jsonb not null default '[]'");
  }

  override down(): void {
    this.addSql("alter table alerts.incident drop column covered");
  }
}
