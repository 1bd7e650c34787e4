import { Migration } from "@mikro-orm/migrations";

/** Adds comments on runs and their screenshots. A reply belongs to the first comment of its thread. */
export class AddComments extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.comment (
        id text primary key,
        team_id text not null,
        run_id text not null references runs.run (id) on delete cascade,
        thread_id text references runs.comment (id) on delete cascade,
        screenshot_id text references runs.screenshot (id) on delete cascade,
        region jsonb,
        text text not null,
        author_kind text not null check (author_kind in ('key', 'user', 'service')),
        author_id text not null,
        author_name text not null,
        counts_as text not null,
        created_at timestamptz not null default now(),
        edited_at timestamptz,
        resolved_by text,
        resolved_at timestamptz
      )`);
    this.addSql("create index comment_run on runs.comment (run_id, id)");
    this.addSql("create index comment_thread on runs.comment (thread_id) where thread_id is not null");
    this.addSql(
      "create index comment_screenshot on runs.comment (screenshot_id) where screenshot_id is not null",
    );
  }

  override down(): void {
    this.addSql("drop table runs.comment");
  }
}
