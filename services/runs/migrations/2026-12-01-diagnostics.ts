import { Migration } from "@mikro-orm/migrations";

/** Adds what went wrong in a page while it was captured. Null if unknown, as in earlier captures. */
export class AddDiagnostics extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column diagnostics jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.screenshot drop column diagnostics");
  }
}
