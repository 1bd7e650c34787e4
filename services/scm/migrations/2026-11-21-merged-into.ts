import { Migration } from "@mikro-orm/migrations";

export class MergedInto extends Migration {
  override up(): void {
    this.addSql("alter table scm.pull_request add column merged_into jsonb");
    // Until now only what was merged into the default branch was noted, whatever its name.
    this.addSql(`
      update scm.pull_request set merged_into = jsonb_build_object(
        'branch', head ->> 'base', 'defaultBranch', head ->> 'base', 'sha', null)
      where merged_at is not null`);
  }
}
