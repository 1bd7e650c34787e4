import { Migration } from "@mikro-orm/migrations";

/** Adds whether a thread is resolved both here and at the code host. */
export class Discussions extends Migration {
  override up(): void {
    this.addSql("alter table scm.mirrored_thread add column is_resolved boolean not null default false");
  }

  override down(): void {
    this.addSql("alter table scm.mirrored_thread drop column is_resolved");
  }
}
