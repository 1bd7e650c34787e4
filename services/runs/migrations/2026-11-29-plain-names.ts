import { Migration } from "@mikro-orm/migrations";

/** Renames a table, columns, and indexes after the terms that the code uses. */
export class PlainNames extends Migration {
  override up(): void {
    this.addSql("alter table runs.chore rename to periodic_task");
    this.addSql("alter index runs.chore_pkey rename to periodic_task_pkey");
    this.addSql("alter table runs.screenshot rename column restless to flaky");
    this.addSql("alter table runs.null_rerun rename column claimed_at to leased_at");
    this.addSql("alter index runs.screenshot_under_way rename to screenshot_queued");
  }

  override down(): void {
    this.addSql("alter index runs.screenshot_queued rename to screenshot_under_way");
    this.addSql("alter table runs.null_rerun rename column leased_at to claimed_at");
    this.addSql("alter table runs.screenshot rename column flaky to restless");
    this.addSql("alter index runs.periodic_task_pkey rename to chore_pkey");
    this.addSql("alter table runs.periodic_task rename to chore");
  }
}
