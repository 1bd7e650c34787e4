import { Migration } from "@mikro-orm/migrations";

/** Adds how much of the file of an import was received, so that an upload that broke off continues. */
export class ReceivedImports extends Migration {
  override up(): void {
    this.addSql("alter table runs.transfer add column received jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.transfer drop column received");
  }
}
