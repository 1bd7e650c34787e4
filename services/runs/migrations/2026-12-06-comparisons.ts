import { Migration } from "@mikro-orm/migrations";

/** Adds comparisons of any two images, the looks of monitored pages, and changes that production already has. */
export class Comparisons extends Migration {
  override up(): void {
    // The id is derived from all that the result depends on, so a repeated comparison costs nothing. Each team has its
    // own rows: explanations tell what is in a page.
    this.addSql(`
      create table runs.pair (
        team_id text not null,
        id text not null,
        base_hash text not null,
        head_hash text not null,
        diff_pixels int,
        diff_ratio double precision,
        regions jsonb not null default '[]',
        mask_hash text,
        fingerprint text,
        explanation jsonb,
        compared_at timestamptz,
        failed_at timestamptz,
        error text,
        dispatched_at timestamptz not null default now(),
        dispatches int not null default 1,
        read_at timestamptz not null default now(),
        primary key (team_id, id)
      )`);
    this.addSql("create index pair_mask on runs.pair (mask_hash) where mask_hash is not null");
    this.addSql(
      "create index pair_open on runs.pair (team_id) where compared_at is null and failed_at is null",
    );
    this.addSql("create index pair_read on runs.pair (read_at)");
    this.addSql(`
      create table runs.look (
        id text primary key,
        project_id text not null references runs.project (id) on delete cascade,
        route text not null,
        state text not null,
        environment text not null,
        viewport int not null,
        hash text not null,
        width int,
        height int,
        browser text,
        run_id text not null,
        screenshot_id text not null,
        baseline_hash text,
        fingerprint text,
        came_at timestamptz not null,
        seen_at timestamptz not null,
        checks int not null default 1,
        first_check_id text not null,
        last_check_id text not null,
        unique (project_id, route, state, environment, viewport, first_check_id)
      )`);
    this.addSql(
      "create index look_page on runs.look (project_id, route, state, environment, viewport, came_at)",
    );
    this.addSql("create index look_hash on runs.look (hash)");
    this.addSql("create index look_fingerprint on runs.look (fingerprint) where fingerprint is not null");
    this.addSql("alter table runs.screenshot add column production jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.screenshot drop column production");
    this.addSql("drop table runs.look");
    this.addSql("drop table runs.pair");
  }
}
