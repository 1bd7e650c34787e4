import { Migration } from "@mikro-orm/migrations";

/** Adds apps of chat tools, the people who review with them, and their recent requests. */
export class AddChatApps extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.chat_app (
        id text primary key,
        team_id text not null,
        tool text not null check (tool in ('slack', 'discord')),
        target jsonb not null,
        changed_by text not null,
        changed_at timestamptz not null default now(),
        unique (team_id, tool)
      )`);
    this.addSql(`
      create table alerts.chat_person (
        team_id text not null,
        tool text not null,
        workspace_id text not null,
        chat_user_id text not null,
        user_id text not null,
        linked_at timestamptz not null default now(),
        primary key (team_id, tool, workspace_id, chat_user_id)
      )`);
    this.addSql("create index chat_person_user on alerts.chat_person (user_id)");
    this.addSql(`
      create table alerts.chat_request (
        digest text primary key,
        at timestamptz not null default now()
      )`);
  }

  override down(): void {
    for (const table of ["chat_request", "chat_person", "chat_app"])
      this.addSql(`drop table alerts.${table}`);
  }
}
