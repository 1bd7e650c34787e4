import { Migration } from "@mikro-orm/migrations";

/** Stores the request that submitted a run, so that its log lines and traces can be found together. */
export class RunOrigins extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column origin jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column origin");
  }
}
