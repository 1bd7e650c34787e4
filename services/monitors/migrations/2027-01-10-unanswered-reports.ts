import { Migration } from "@mikro-orm/migrations";

/** Lets the records of reports be null while the answer to a report isn't known. */
export class AllowUnansweredReports extends Migration {
  override up(): void {
    this.addSql("alter table monitors.http_check alter column alerted drop not null");
    this.addSql("alter table monitors.team alter column unchecked_reported drop not null");
  }

  override down(): void {
    // A report that may have been sent must be ended.
    this.addSql("update monitors.http_check set alerted = true where alerted is null");
    this.addSql("alter table monitors.http_check alter column alerted set not null");
    this.addSql("update monitors.team set unchecked_reported = true where unchecked_reported is null");
    this.addSql("alter table monitors.team alter column unchecked_reported set not null");
  }
}
