import { Migration } from "@mikro-orm/migrations";

/** Adds what assigns work to the lane of an installation, and the time of the last attempt to carry approvals. */
export class Lanes extends Migration {
  override up(): void {
    this.addSql("alter table scm.delivery rename column connection_id to installation_id");
    this.addSql("alter table scm.external_run add column installation_id text");
    this.addSql("alter table scm.pull_request add column carry_tried_at timestamptz");
  }

  override down(): void {
    this.addSql("alter table scm.pull_request drop column carry_tried_at");
    this.addSql("alter table scm.external_run drop column installation_id");
    this.addSql("alter table scm.delivery rename column installation_id to connection_id");
  }
}
