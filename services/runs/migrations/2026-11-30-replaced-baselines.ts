import { Migration } from "@mikro-orm/migrations";

/** Keeps the baseline chosen at submission where a carried approval replaces it. */
export class ReplacedBaselines extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column replaced_baseline jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.screenshot drop column replaced_baseline");
  }
}
