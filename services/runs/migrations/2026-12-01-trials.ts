import { Migration } from "@mikro-orm/migrations";

/** Adds trials, which are runs that try a configuration, and the steps that ran before a screenshot. */
export class Trials extends Migration {
  override up(): void {
    this.addSql(`
      alter table runs.run drop constraint run_kind_check,
        add constraint run_kind_check check (kind in ('run', 'null-rerun', 'trial'))`);
    // For the number of recent trials, and for their deletion.
    this.addSql("create index run_trials on runs.run (team_id, created_at) where kind = 'trial'");
    this.addSql("alter table runs.screenshot add column steps jsonb not null default '[]'");
  }

  override down(): void {
    this.addSql("delete from runs.run where kind = 'trial'");
    this.addSql("drop index runs.run_trials");
    this.addSql(`
      alter table runs.run drop constraint run_kind_check,
        add constraint run_kind_check check (kind in ('run', 'null-rerun'))`);
    this.addSql("alter table runs.screenshot drop column steps");
  }
}
