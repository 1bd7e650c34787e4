import { Migration } from "@mikro-orm/migrations";

/** Adds what identifies a repeated request for a maintenance window. */
export class AddMaintenanceKeys extends Migration {
  override up(): void {
    this.addSql(
      "alter table monitors.maintenance add column idempotency_key text, add column body_digest text",
    );
    this.addSql(
      `create unique index maintenance_idempotency_key on monitors.maintenance (team_id, idempotency_key)
         where idempotency_key is not null`,
    );
  }

  override down(): void {
    this.addSql("drop index monitors.maintenance_idempotency_key");
    this.addSql("alter table monitors.maintenance drop column idempotency_key, drop column body_digest");
  }
}
