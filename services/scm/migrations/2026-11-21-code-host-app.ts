import { Migration } from "@mikro-orm/migrations";

export class CodeHostAppTables extends Migration {
  override up(): void {
    this.addSql(`
      create table scm.delivery (
        id text primary key,
        taken_at timestamptz not null,
        done_at timestamptz
      )`);
    this.addSql("create index delivery_taken on scm.delivery (taken_at)");
    this.addSql(`
      create table scm.bootstrap (
        installation_id text not null,
        repo_id text not null,
        owner text not null,
        repo text not null,
        state text not null,
        reason text,
        pull_number int,
        tries int not null default 0,
        asked_at timestamptz not null,
        due_at timestamptz,
        primary key (installation_id, repo_id)
      )`);
    this.addSql("create index bootstrap_due on scm.bootstrap (due_at) where due_at is not null");
    this.addSql(`
      create table scm.pull_request (
        repo_id text not null,
        number int not null,
        owner text not null,
        repo text not null,
        head_sha text not null,
        head jsonb not null,
        is_open boolean not null,
        comment_id text,
        comment_until timestamptz,
        merged_at timestamptz,
        carried_at timestamptz,
        primary key (repo_id, number)
      )`);
    this.addSql(
      "create index pull_request_merged on scm.pull_request (merged_at) where merged_at is not null and carried_at is null",
    );
    this.addSql("create index pull_request_head on scm.pull_request (repo_id, head_sha)");
    this.addSql(`
      create table scm.check_run (
        id text primary key,
        installation_id text not null,
        repo_id text not null,
        owner text not null,
        repo text not null,
        sha text not null,
        pull jsonb,
        preview_url text not null,
        attempt int not null,
        host_id text unique,
        run_id text,
        conclusion text,
        outcome jsonb,
        note text,
        told text,
        tries int not null,
        created_at timestamptz not null,
        give_up_at timestamptz not null,
        look_at timestamptz,
        claimed_at timestamptz,
        claimed_until timestamptz,
        nudged_at timestamptz,
        unique (repo_id, sha)
      )`);
    this.addSql("create index check_run_look on scm.check_run (look_at) where look_at is not null");
    this.addSql("create index check_run_run on scm.check_run (run_id)");
    this.addSql("create index check_run_created on scm.check_run (created_at)");
  }
}
