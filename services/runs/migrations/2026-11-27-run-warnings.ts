import { Migration } from "@mikro-orm/migrations";

/** Adds warnings, such as a configuration that can't be read. */
export class RunWarnings extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column warnings jsonb not null default '[]'");
  }
}
