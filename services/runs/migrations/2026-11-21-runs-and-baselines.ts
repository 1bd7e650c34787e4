import { Migration } from "@mikro-orm/migrations";

export class RunsAndBaselines extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.project (
        id text primary key,
        team_id text not null,
        name text not null,
        default_branch text not null,
        created_at timestamptz not null,
        unique (team_id, name)
      )`);
    this.addSql(`
      create table runs.run (
        id text primary key,
        team_id text not null,
        project_id text not null references runs.project (id),
        project text not null,
        url text not null,
        branch text,
        scope text not null,
        default_scope text not null,
        scm jsonb,
        threshold double precision not null,
        options jsonb not null,
        status text not null,
        conclusion text,
        error text,
        dedupe_key text,
        idempotency_key text,
        body_digest text not null,
        tally jsonb,
        created_by text not null,
        created_at timestamptz not null,
        started_at timestamptz,
        completed_at timestamptz,
        unique (team_id, dedupe_key),
        unique (team_id, idempotency_key)
      )`);
    this.addSql("create index run_team on runs.run (team_id, id)");
    this.addSql("create index run_unfinished on runs.run (id) where completed_at is null");
    this.addSql(`
      create table runs.screenshot (
        id text primary key,
        run_id text not null references runs.run (id) on delete cascade,
        position int not null,
        route text not null,
        viewport int not null,
        threshold double precision not null,
        status text not null,
        baseline_hash text,
        baseline_run_id text,
        baseline_reason text,
        baseline_width int,
        baseline_height int,
        baseline_browser text,
        hash text,
        width int,
        height int,
        stable boolean,
        moving jsonb not null,
        attempts int not null,
        cut_from_height int,
        browser text,
        timings jsonb,
        diff_pixels int,
        diff_ratio double precision,
        regions jsonb not null,
        mask_hash text,
        fingerprint text,
        error text,
        review text,
        review_reason text,
        reviewed_by text,
        reviewed_at timestamptz,
        dispatched_at timestamptz,
        dispatches int not null,
        captured_at timestamptz,
        compared_at timestamptz,
        unique (run_id, route, viewport)
      )`);
    this.addSql("create index screenshot_run on runs.screenshot (run_id, id)");
    this.addSql(
      "create index screenshot_compared on runs.screenshot (baseline_hash, hash) where compared_at is not null",
    );
    this.addSql(`
      create table runs.baseline (
        id text primary key,
        project_id text not null references runs.project (id),
        scope text not null,
        route text not null,
        viewport int not null,
        hash text,
        width int,
        height int,
        browser text,
        run_id text not null,
        screenshot_id text not null,
        approved_by text not null,
        approved_at timestamptz not null,
        unique (screenshot_id, scope)
      )`);
    this.addSql(
      "create index baseline_latest on runs.baseline (project_id, scope, route, viewport, id desc)",
    );
    this.addSql(
      "create table runs.link_key (singleton boolean primary key default true check (singleton), key text not null)",
    );
  }
}
