import { Migration } from "@mikro-orm/migrations";

/** Adds the name of a session's browser, for its owner. */
export class SessionBrowsers extends Migration {
  override up(): void {
    this.addSql("alter table teams.session add column browser text");
  }
}
