import { Migration } from "@mikro-orm/migrations";

/** Runs that named no branch have the one that their approvals are on: the project's default branch of then. */
export class RunBranches extends Migration {
  override up(): void {
    this.addSql(
      "update runs.run set branch = substr(scope, length('branch:') + 1) where branch is null and scope like 'branch:%'",
    );
  }
}
