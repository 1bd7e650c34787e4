import { Migration } from "@mikro-orm/migrations";

/** Adds null reruns, which repeat a run to count pages that differ although nothing changed. */
export class NullReruns extends Migration {
  override up(): void {
    this.addSql(`
      alter table runs.project
        add column null_reruns boolean not null default false,
        add column null_rerun_at timestamptz`);
    this.addSql(
      "alter table runs.run add column kind text not null default 'run' check (kind in ('run', 'null-rerun'))",
    );
    this.addSql(`
      create table runs.null_rerun (
        run_id text primary key,
        project_id text not null references runs.project (id) on delete cascade,
        of_run_id text not null,
        options jsonb,
        planned_at timestamptz not null default now(),
        claimed_at timestamptz,
        submitted_at timestamptz,
        skipped text,
        completed_at timestamptz,
        compared int,
        false_alarms int
      )`);
    this.addSql("create index null_rerun_project on runs.null_rerun (project_id, planned_at desc)");
    this.addSql(`create index null_rerun_planned on runs.null_rerun (planned_at)
      where submitted_at is null and skipped is null`);
  }
}
