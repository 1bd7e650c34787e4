import { Migration } from "@mikro-orm/migrations";

/** Adds incidents and what happened in them. */
export class AddIncidents extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.incident (
        id text primary key,
        team_id text not null,
        monitor_id text not null,
        monitor_name text not null,
        kind text not null,
        about text not null,
        title text not null,
        check_id text not null,
        run_id text,
        opened_at timestamptz not null,
        opened_source text not null,
        acknowledged_at timestamptz,
        acknowledged_by text,
        assignee_id text,
        assignee_login text,
        resolved_at timestamptz,
        resolved_source text,
        resolution text,
        resolved_by text
      )`);
    // One open incident per monitor, also for two nodes at the same time.
    this.addSql(
      "create unique index incident_open on alerts.incident (monitor_id) where resolved_at is null",
    );
    this.addSql("create index incident_team on alerts.incident (team_id, id)");
    this.addSql("create index incident_monitor on alerts.incident (monitor_id, id)");
    this.addSql("create index incident_resolved on alerts.incident (resolved_at)");
    this.addSql(`
      create table alerts.incident_entry (
        id bigint generated always as identity primary key,
        incident_id text not null references alerts.incident (id) on delete cascade,
        at timestamptz not null default clock_timestamp(),
        entry jsonb not null
      )`);
    this.addSql("create index incident_entry_incident on alerts.incident_entry (incident_id, id)");
  }

  override down(): void {
    this.addSql("drop table alerts.incident_entry");
    this.addSql("drop table alerts.incident");
  }
}
