import { Migration } from "@mikro-orm/migrations";

/** Sets the branch of runs without one to the branch of their approvals: the project's default branch at that time. */
export class RunBranches extends Migration {
  override up(): void {
    this.addSql(
      "update runs.run set branch = substr(scope, length('branch:') + 1) where branch is null and scope like 'branch:%'",
    );
  }
}
