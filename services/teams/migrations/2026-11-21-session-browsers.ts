import { Migration } from "@mikro-orm/migrations";

/** Which browser a session is of, in words by which its owner knows it. */
export class SessionBrowsers extends Migration {
  override up(): void {
    this.addSql("alter table teams.session add column browser text");
  }
}
