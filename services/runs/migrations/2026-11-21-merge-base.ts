import { Migration } from "@mikro-orm/migrations";

export class MergeBase extends Migration {
  override up(): void {
    this.addSql(`
      alter table runs.baseline
        add column sha text,
        add column recorded_at timestamptz not null default now()`);
    this.addSql(`
      update runs.baseline b set sha = lower(r.scm ->> 'sha') from runs.run r
      where r.id = b.run_id and r.scope = b.scope and length(r.scm ->> 'sha') in (40, 64)`);
    // Every run of a pull request searches a branch's state at a commit.
    this.addSql(
      "create index baseline_sha on runs.baseline (project_id, scope, sha, seq) where sha is not null",
    );
  }
}
