import { Migration } from "@mikro-orm/migrations";

/** Saves the numbers of the comments about builds, by the build's name. A long conversation can't be searched as a whole. */
export class BuildComments extends Migration {
  override up(): void {
    this.addSql("alter table scm.pull_request add column build_comment_ids jsonb not null default '{}'");
  }

  override down(): void {
    this.addSql("alter table scm.pull_request drop column build_comment_ids");
  }
}
