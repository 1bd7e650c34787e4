import { Migration } from "@mikro-orm/migrations";

/** Adds tags and badges of monitors, and status pages. */
export class AddStatusPages extends Migration {
  override up(): void {
    this.addSql("alter table monitors.monitor add column tags jsonb not null default '[]'");
    this.addSql("alter table monitors.monitor add column badge_token text");
    this.addSql(
      "create unique index monitor_badge on monitors.monitor (badge_token) where badge_token is not null",
    );
    this.addSql(`
      create table monitors.status_page (
        id text primary key,
        team_id text not null,
        slug text not null unique,
        title text not null,
        components jsonb not null,
        password_hash text,
        tried_at timestamptz,
        changed_by text not null,
        changed_at timestamptz not null default now()
      )`);
    this.addSql("create index status_page_team on monitors.status_page (team_id, id)");
  }

  override down(): void {
    this.addSql("drop table monitors.status_page");
    this.addSql("drop index monitors.monitor_badge");
    this.addSql("alter table monitors.monitor drop column badge_token");
    this.addSql("alter table monitors.monitor drop column tags");
  }
}
