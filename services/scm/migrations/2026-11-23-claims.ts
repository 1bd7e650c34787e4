import { Migration } from "@mikro-orm/migrations";

/** Numbers the leases, records when a pull request last changed, and adds external runs. */
export class Claims extends Migration {
  override up(): void {
    this.addSql("alter table scm.check_run add column claim int not null default 1");
    this.addSql("alter table scm.delivery add column claim text");
    this.addSql(`alter table scm.pull_request
      add column updated_at timestamptz, add column comment_turn int not null default 0`);
    this.addSql(`
      create table scm.adoption (
        run_id text primary key,
        tries int not null default 0,
        asked_at timestamptz not null,
        due_at timestamptz
      )`);
    this.addSql("create index adoption_due on scm.adoption (due_at) where due_at is not null");
    this.addSql("create index adoption_asked on scm.adoption (asked_at)");
  }
}
