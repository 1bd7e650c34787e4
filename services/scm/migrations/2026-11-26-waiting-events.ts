import { Migration } from "@mikro-orm/migrations";

/** Adds checks of merge groups, and events that are retried because the code host did not respond. */
export class WaitingEvents extends Migration {
  override up(): void {
    this.addSql("alter table scm.check_run add column merge_group boolean not null default false");
    this.addSql(`alter table scm.delivery add column event text, add column payload text,
      add column tries int not null default 0, add column due_at timestamptz`);
    this.addSql("create index delivery_due on scm.delivery (due_at) where due_at is not null");
  }
}
