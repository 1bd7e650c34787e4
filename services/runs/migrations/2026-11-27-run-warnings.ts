import { Migration } from "@mikro-orm/migrations";

/** What a run did without, such as a configuration that can't be read. */
export class RunWarnings extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column warnings jsonb not null default '[]'");
  }
}
