import { Migration } from "@mikro-orm/migrations";

export class MissingResources extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column missing jsonb not null default '[]'");
  }
}
