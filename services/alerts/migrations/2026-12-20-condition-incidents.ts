import { Migration } from "@mikro-orm/migrations";

/** Lets a monitor have an open incident of each track: of its pages, and of each condition. */
export class ConditionIncidents extends Migration {
  override up(): void {
    this.addSql("alter table alerts.incident add column track text not null default 'pages'");
    this.addSql("drop index alerts.incident_open");
    // One open incident of a track per monitor, also for two nodes at the same time.
    this.addSql(
      "create unique index incident_open on alerts.incident (monitor_id, track) where resolved_at is null",
    );
  }

  override down(): void {
    this.addSql("delete from alerts.incident where track <> 'pages'");
    this.addSql("drop index alerts.incident_open");
    this.addSql(
      "create unique index incident_open on alerts.incident (monitor_id) where resolved_at is null",
    );
    this.addSql("alter table alerts.incident drop column track");
  }
}
