import { Migration } from "@mikro-orm/migrations";

/** How often a check's run was canceled or deleted and submitted again. */
export class Retries extends Migration {
  override up(): void {
    this.addSql("alter table monitors.check add column retries int not null default 0");
  }
}
