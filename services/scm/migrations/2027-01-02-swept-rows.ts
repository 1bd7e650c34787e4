import { Migration } from "@mikro-orm/migrations";

/** Adds indexes for what periodic tasks search, and deletes what disconnected repositories left behind. */
export class SweptRows extends Migration {
  override up(): void {
    this.addSql("create index handled_event_handled on scm.handled_event (handled_at)");
    this.addSql(
      "create index connection_hook_due on scm.connection (hook_due_at) where hook_due_at is not null",
    );
    for (const [table, column] of [
      ["pull_request", "repo_id"],
      ["bootstrap", "installation_id"],
    ] as const)
      this.addSql(`
        delete from scm.${table} t where starts_with(t.${column}, 'con_')
          and not exists (select from scm.connection c where c.id = t.${column})`);
  }

  override down(): void {
    this.addSql("drop index scm.connection_hook_due");
    this.addSql("drop index scm.handled_event_handled");
  }
}
