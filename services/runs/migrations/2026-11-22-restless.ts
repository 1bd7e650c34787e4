import { Migration } from "@mikro-orm/migrations";

/** Adds a flag for pages whose screenshots all differ. Deletes the options of ended runs, which can be secrets. */
export class Restless extends Migration {
  override up(): void {
    this.addSql("update runs.run set options = '{}' where completed_at is not null");
    this.addSql("alter table runs.screenshot add column restless boolean not null default false");
  }
}
