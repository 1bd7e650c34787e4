import { Migration } from "@mikro-orm/migrations";

/** Adds the threads of reviews that have a comment on a pull request, and the replies from there. */
export class MirroredThreads extends Migration {
  override up(): void {
    // A null team is the app's.
    this.addSql(`
      create table scm.mirrored_run (
        run_id text primary key,
        team_id text,
        installation_id text not null,
        repo_id text not null,
        owner text not null,
        repo text not null,
        pull integer not null,
        due_at timestamptz,
        wake_at timestamptz,
        lease integer not null default 0,
        leased_at timestamptz,
        leased_until timestamptz,
        failures integer not null default 0,
        created_at timestamptz not null default now()
      )`);
    this.addSql("create index mirrored_run_due on scm.mirrored_run (due_at) where due_at is not null");
    this.addSql(`
      create table scm.mirrored_thread (
        thread_id text primary key,
        run_id text not null references scm.mirrored_run (run_id) on delete cascade,
        host_id text,
        digest text,
        removed_at timestamptz
      )`);
    this.addSql("create index mirrored_thread_run on scm.mirrored_thread (run_id)");
    this.addSql(`
      create table scm.mirrored_reply (
        repo_id text not null,
        host_id text not null,
        id text not null,
        thread_id text not null references scm.mirrored_thread (thread_id) on delete cascade,
        host_updated_at timestamptz not null,
        deleted_at timestamptz,
        primary key (repo_id, host_id)
      )`);
    this.addSql("create index mirrored_reply_thread on scm.mirrored_reply (thread_id)");
  }

  override down(): void {
    this.addSql("drop table scm.mirrored_reply");
    this.addSql("drop table scm.mirrored_thread");
    this.addSql("drop table scm.mirrored_run");
  }
}
