import { Migration } from "@mikro-orm/migrations";

export class FailureBlame extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column blame text");
  }
}
