import { Migration } from "@mikro-orm/migrations";

export class BaselineHistory extends Migration {
  override up(): void {
    this.addSql("alter table runs.baseline add column restored_by text, add column restored_at timestamptz");
    // For the approvals of one page on all branches.
    this.addSql("create index baseline_place on runs.baseline (project_id, route, viewport, seq desc)");
    // For a page across the runs of its project.
    this.addSql("create index run_project on runs.run (project_id, id desc)");
    this.addSql("alter table runs.run add column submitter text");
  }
}
