import { Migration } from "@mikro-orm/migrations";

/** What was alerted, page by page: a check that cannot look at some of them leaves those as they were. */
export class AlertedOutcome extends Migration {
  override up(): void {
    this.addSql("alter table alerts.alert_state add column alerted_outcome jsonb");
  }
}
