import { Migration } from "@mikro-orm/migrations";

/** Adds the digests of events that must not be repeated. */
export class HandledEvents extends Migration {
  override up(): void {
    this.addSql(
      "create table scm.handled_event (digest text primary key, handled_at timestamptz not null default now())",
    );
  }

  override down(): void {
    this.addSql("drop table scm.handled_event");
  }
}
