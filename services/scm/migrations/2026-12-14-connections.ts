import { Migration } from "@mikro-orm/migrations";

/** Adds connections of repositories at code hosts without an app, and the connection of a delivery. */
export class Connections extends Migration {
  override up(): void {
    this.addSql(`
      create table scm.connection (
        id text primary key,
        team_id text not null,
        host text not null check (host in ('gitlab')),
        url text not null,
        host_id text not null,
        owner text not null,
        repo text not null,
        project text not null,
        access jsonb not null,
        token_hash text not null,
        token_expires_at date,
        rotates boolean not null,
        rotation_due_at timestamptz,
        hook_id text,
        error text,
        last_event_at timestamptz,
        created_by text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql(
      "create unique index connection_repository on scm.connection (team_id, lower(owner), lower(repo))",
    );
    this.addSql("create index connection_rotation on scm.connection (rotation_due_at) where rotates");
    this.addSql("alter table scm.delivery add column connection_id text");
  }

  override down(): void {
    this.addSql("alter table scm.delivery drop column connection_id");
    this.addSql("drop table scm.connection");
  }
}
