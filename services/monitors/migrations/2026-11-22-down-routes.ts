import { Migration } from "@mikro-orm/migrations";

/** Which pages did not answer, so that an alert says so, and another page is news. */
export class DownRoutes extends Migration {
  override up(): void {
    this.addSql("alter table monitors.check add column down_routes jsonb not null default '[]'");
  }
}
