import { Migration } from "@mikro-orm/migrations";

/** Adds when a webhook is written at its code host again, because its latest secret may be missing there. */
export class DueHooks extends Migration {
  override up(): void {
    this.addSql("alter table scm.connection add column hook_due_at timestamptz");
  }

  override down(): void {
    this.addSql("alter table scm.connection drop column hook_due_at");
  }
}
