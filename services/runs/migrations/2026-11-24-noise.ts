import { Migration } from "@mikro-orm/migrations";

/** Adds tables for flaky pages and their ignore regions. */
export class Noise extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.noise_observation (
        screenshot_id text not null,
        kind text not null check (kind in ('unstable', 'nullRerun', 'rejectedAsNoise')),
        run_id text not null,
        project_id text not null references runs.project (id) on delete cascade,
        route text not null,
        viewport int not null,
        day date not null,
        image_height int not null,
        regions jsonb not null,
        noted_at timestamptz not null default now(),
        primary key (screenshot_id, kind)
      )`);
    this.addSql(
      "create index noise_observation_page on runs.noise_observation (project_id, route, viewport, noted_at desc)",
    );
    this.addSql("create index noise_observation_age on runs.noise_observation (project_id, noted_at desc)");
    // Clean captures have no rows of their own. Their number per day is enough.
    this.addSql(`
      create table runs.page_day (
        project_id text not null references runs.project (id) on delete cascade,
        route text not null,
        viewport int not null,
        day date not null,
        captures int not null,
        primary key (project_id, route, viewport, day)
      )`);
    this.addSql("create index page_day_age on runs.page_day (day)");
    this.addSql(`
      create table runs.noise_region (
        id text primary key,
        project_id text not null references runs.project (id) on delete cascade,
        route text not null,
        viewport int not null,
        x int not null,
        y int not null,
        width int not null,
        height int not null,
        verdict text not null check (verdict in ('accepted', 'dismissed')),
        reason text,
        decided_by text not null,
        decided_at timestamptz not null default now(),
        unique (project_id, route, viewport, x, y, width, height)
      )`);
    this.addSql(`
      alter table runs.screenshot
        add column ignore_regions jsonb not null default '[]',
        add column ignored_pixels jsonb not null default '[]',
        add column flake_score double precision not null default 0`);
    this.addSql("alter table runs.review add column noise boolean not null default false");
  }
}
