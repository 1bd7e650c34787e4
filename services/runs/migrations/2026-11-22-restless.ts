import { Migration } from "@mikro-orm/migrations";

/** Pages that look different each time; and runs keep their options, which may hold secrets, until they end. */
export class Restless extends Migration {
  override up(): void {
    this.addSql("update runs.run set options = '{}' where completed_at is not null");
    this.addSql("alter table runs.screenshot add column restless boolean not null default false");
  }
}
