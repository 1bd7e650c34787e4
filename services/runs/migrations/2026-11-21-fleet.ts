import { Migration } from "@mikro-orm/migrations";

export class Fleet extends Migration {
  override up(): void {
    // Order of approvals. Ids follow the clocks of the nodes that created them, which differ.
    this.addSql("alter table runs.baseline add column seq bigint generated always as identity");
    this.addSql("drop index runs.baseline_latest");
    this.addSql(
      "create index baseline_latest on runs.baseline (project_id, scope, route, viewport, seq desc)",
    );
    // The next routes of a team are searched with every few results, however many routes wait.
    this.addSql(`create index screenshot_waiting on runs.screenshot (run_id, position)
      where status = 'pending' and captured_at is null and dispatched_at is null`);
    this.addSql(`create index screenshot_under_way on runs.screenshot (run_id)
      where status = 'pending' and captured_at is null and dispatched_at is not null`);
  }
}
