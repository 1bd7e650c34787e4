import { Migration } from "@mikro-orm/migrations";

/** How a monitor's screenshots are taken. */
export class Options extends Migration {
  override up(): void {
    this.addSql("alter table monitors.monitor add column options jsonb not null default '{}'");
  }
}
