import { Migration } from "@mikro-orm/migrations";

export class Monitors extends Migration {
  override up(): void {
    this.addSql(`
      create table monitors.team (
        id text primary key,
        plan text not null,
        monitor_limit int,
        scheduled boolean not null,
        retention_days int not null,
        asked_at timestamptz not null,
        pruned_at timestamptz not null
      )`);
    this.addSql(`
      create table monitors.monitor (
        id text primary key,
        team_id text not null,
        name text not null,
        url text not null,
        routes jsonb not null,
        viewports jsonb not null,
        interval_minutes int not null,
        alert_threshold double precision not null,
        channels jsonb not null,
        paused boolean not null,
        hold text,
        phase double precision not null,
        generation int not null,
        status text not null,
        look text,
        last_change_at timestamptz,
        checks_up int not null,
        checks_down int not null,
        next_at timestamptz,
        check_id text,
        last_check_id text,
        created_by text not null,
        created_at timestamptz not null,
        deleted_at timestamptz
      )`);
    // What is due is asked for every few seconds: of what is not, and of what is being checked, nothing is read.
    this.addSql(
      "create index monitor_due on monitors.monitor (next_at) where next_at is not null and check_id is null",
    );
    this.addSql("create index monitor_team on monitors.monitor (team_id, id) where deleted_at is null");
    this.addSql("create index monitor_deleted on monitors.monitor (id) where deleted_at is not null");
    this.addSql(`
      create table monitors.check (
        id text primary key,
        monitor_id text not null references monitors.monitor (id),
        team_id text not null,
        kind text not null,
        target jsonb not null,
        attempt int not null,
        run_id text not null,
        latest_run_id text not null,
        looks jsonb not null,
        started_at timestamptz not null,
        submitted_at timestamptz,
        touched_at timestamptz not null,
        outcome text,
        error text,
        drift jsonb not null,
        regressions jsonb not null,
        ended_at timestamptz,
        reported_at timestamptz
      )`);
    this.addSql("create index check_monitor on monitors.check (monitor_id, id)");
    this.addSql("create index check_run on monitors.check (run_id)");
    this.addSql("create index check_latest_run on monitors.check (latest_run_id)");
    this.addSql("create index check_open on monitors.check (touched_at) where ended_at is null");
    this.addSql(`create index check_unreported on monitors.check (touched_at)
      where ended_at is not null and reported_at is null`);
    this.addSql("create index check_ended on monitors.check (team_id, ended_at) where ended_at is not null");
  }
}
