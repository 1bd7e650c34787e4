import { Migration } from "@mikro-orm/migrations";

/** Adds what a run was meant to change. */
export class AddIntent extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column intent jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column intent");
  }
}
