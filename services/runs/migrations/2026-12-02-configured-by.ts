import { Migration } from "@mikro-orm/migrations";

/** Adds the names of the fields that configurations set. */
export class AddConfiguredBy extends Migration {
  override up(): void {
    this.addSql(`
      alter table runs.run
        add column configured_by jsonb not null default '{"repository": [], "project": []}'`);
  }

  override down(): void {
    this.addSql("alter table runs.run drop column configured_by");
  }
}
