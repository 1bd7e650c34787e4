import { Migration } from "@mikro-orm/migrations";

/** Adds where an ignore rule applies, its expiry, and rules that raise a threshold. */
export class IgnoreRules extends Migration {
  override up(): void {
    this.addSql(`
      alter table runs.noise_region
        add column applies_to text not null default 'page' check (applies_to in ('page', 'widths', 'project')),
        add column threshold double precision,
        add column scale double precision not null default 1,
        add column expires_at timestamptz,
        add column changed_by text,
        add column changed_at timestamptz,
        drop constraint noise_region_page`);
    this.addSql(`
      alter table runs.noise_region add constraint noise_region_rule
        unique (project_id, route, state, environment, viewport, x, y, width, height, applies_to)`);
    this.addSql("alter table runs.screenshot add column raised jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.screenshot drop column raised");
    // Earlier versions know only regions of one page, and would apply others there.
    this.addSql("delete from runs.noise_region where applies_to <> 'page' or threshold is not null");
    this.addSql("delete from runs.noise_region where expires_at is not null");
    this.addSql(`
      alter table runs.noise_region
        drop constraint noise_region_rule,
        drop column applies_to, drop column threshold, drop column scale, drop column expires_at,
        drop column changed_by, drop column changed_at,
        add constraint noise_region_page
          unique (project_id, route, state, environment, viewport, x, y, width, height)`);
  }
}
