import { Migration } from "@mikro-orm/migrations";

/** Adds an index for the newer runs of a branch or pull request, which may replace an earlier one. */
export class RunScopes extends Migration {
  override up(): void {
    this.addSql("create index run_scope on runs.run (project_id, scope, id desc)");
  }

  override down(): void {
    this.addSql("drop index runs.run_scope");
  }
}
