import { Migration } from "@mikro-orm/migrations";

/** Adds names of checks: a commit can have a check of its preview, and one for each build of uploaded screenshots. */
export class CheckNames extends Migration {
  override up(): void {
    this.addSql("alter table scm.check_run add column name text not null default ''");
    this.addSql("alter table scm.check_run drop constraint check_run_repo_id_sha_key");
    this.addSql("alter table scm.check_run add unique (repo_id, sha, name)");
  }

  override down(): void {
    this.addSql("delete from scm.check_run where name <> ''");
    this.addSql("alter table scm.check_run drop constraint check_run_repo_id_sha_name_key");
    this.addSql("alter table scm.check_run add unique (repo_id, sha)");
    this.addSql("alter table scm.check_run drop column name");
  }
}
