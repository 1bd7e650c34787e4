import { Migration } from "@mikro-orm/migrations";

/** Tables whose rows belong to a page. */
const TABLES = ["screenshot", "baseline", "review", "noise_observation", "page_day", "noise_region"];

/**
 * Adds the state and the environment to what identifies a page. Indexes that only narrow a search down to a route and a
 * width stay as they are, because a route has few states and environments.
 */
export class ScreenshotKeys extends Migration {
  override up(): void {
    for (const table of TABLES)
      this.addSql(
        `alter table runs.${table} add column state text not null default '', add column environment text not null default ''`,
      );
    this.addSql(`alter table runs.screenshot drop constraint screenshot_run_id_route_viewport_key,
      add constraint screenshot_page unique (run_id, route, state, environment, viewport)`);
    this.addSql(`alter table runs.page_day drop constraint page_day_pkey,
      add primary key (project_id, route, state, environment, viewport, day)`);
    this.addSql(`alter table runs.noise_region drop constraint noise_region_project_id_route_viewport_x_y_width_height_key,
      add constraint noise_region_page unique (project_id, route, state, environment, viewport, x, y, width, height)`);
    this.addSql("drop index runs.baseline_latest");
    this.addSql(
      "create index baseline_latest on runs.baseline (project_id, scope, route, state, environment, viewport, seq desc)",
    );
    this.addSql("alter table runs.screenshot add column viewport_height int not null default 800");
    // A dispatch reads the waiting screenshots of a few jobs. Their number per job bounds the rows that it reads.
    this.addSql("alter table runs.run add column screenshots_per_job int not null default 10");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column screenshots_per_job");
    this.addSql("alter table runs.screenshot drop column viewport_height");
    // Earlier versions can't tell these rows from those of the page itself.
    for (const table of TABLES)
      this.addSql(`delete from runs.${table} where state <> '' or environment <> ''`);
    this.addSql("drop index runs.baseline_latest");
    this.addSql(
      "create index baseline_latest on runs.baseline (project_id, scope, route, viewport, seq desc)",
    );
    this.addSql(`alter table runs.noise_region drop constraint noise_region_page,
      add constraint noise_region_project_id_route_viewport_x_y_width_height_key
        unique (project_id, route, viewport, x, y, width, height)`);
    this.addSql(`alter table runs.page_day drop constraint page_day_pkey,
      add primary key (project_id, route, viewport, day)`);
    this.addSql(`alter table runs.screenshot drop constraint screenshot_page,
      add constraint screenshot_run_id_route_viewport_key unique (run_id, route, viewport)`);
    for (const table of TABLES)
      this.addSql(`alter table runs.${table} drop column state, drop column environment`);
  }
}
