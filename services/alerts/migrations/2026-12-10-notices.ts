import { Migration } from "@mikro-orm/migrations";

/** Adds notices, which wait for the digest of their run and receiver, and the chat webhooks of projects. */
export class AddNotices extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.notice (
        event_id text not null,
        receiver text not null,
        kind text not null,
        team_id text not null,
        project text not null,
        run_id text not null,
        comment_id text,
        created_at timestamptz not null default now(),
        digest_id text,
        digested_at timestamptz,
        primary key (event_id, receiver, kind)
      )`);
    this.addSql("create index notice_waiting on alerts.notice (run_id, receiver) where digest_id is null");
    this.addSql("create index notice_run on alerts.notice (run_id, receiver, digested_at)");
    this.addSql("create index notice_receiver on alerts.notice (receiver, digested_at)");
    this.addSql("create index notice_team on alerts.notice (team_id)");
    this.addSql("create index notice_created on alerts.notice (created_at)");
    this.addSql(`
      create table alerts.project_chat (
        id text primary key,
        team_id text not null,
        project text not null,
        target jsonb not null,
        changed_by text not null,
        changed_at timestamptz not null default now(),
        unique (team_id, project)
      )`);
  }

  override down(): void {
    this.addSql("delete from alerts.notification where kind = 'digest'");
    this.addSql("drop table alerts.project_chat");
    this.addSql("drop table alerts.notice");
  }
}
