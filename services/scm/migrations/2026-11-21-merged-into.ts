import { Migration } from "@mikro-orm/migrations";

export class MergedInto extends Migration {
  override up(): void {
    this.addSql("alter table scm.pull_request add column merged_into jsonb");
    // Earlier versions recorded only merges into the default branch, without its name.
    this.addSql(`
      update scm.pull_request set merged_into = jsonb_build_object(
        'branch', head ->> 'base', 'defaultBranch', head ->> 'base', 'sha', null)
      where merged_at is not null`);
  }
}
