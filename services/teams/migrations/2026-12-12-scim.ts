import { Migration } from "@mikro-orm/migrations";

/** Adds users and groups that an identity provider provisions by SCIM, and keys that can do only that. */
export class Scim extends Migration {
  override up(): void {
    this.addSql("alter table teams.api_key add column provisions boolean not null default false");
    this.addSql(`
      create table teams.scim_user (
        id text primary key,
        team_id text not null references teams.team (id) on delete cascade,
        user_id text references teams."user" (id) on delete set null,
        user_name text not null,
        external_id text,
        email text,
        attributes jsonb not null default '{}',
        active boolean not null default true,
        created_at timestamptz not null default now(),
        changed_at timestamptz not null default now(),
        unique (team_id, user_id)
      )`);
    this.addSql("create unique index scim_user_name on teams.scim_user (team_id, lower(user_name))");
    this.addSql("create index scim_user_external on teams.scim_user (team_id, external_id)");
    this.addSql("create index scim_user_email on teams.scim_user (lower(email))");
    this.addSql("create index scim_user_user on teams.scim_user (user_id)");
    this.addSql(`
      create table teams.scim_group (
        id text primary key,
        team_id text not null references teams.team (id) on delete cascade,
        display_name text not null,
        external_id text,
        created_at timestamptz not null default now(),
        changed_at timestamptz not null default now()
      )`);
    this.addSql("create unique index scim_group_name on teams.scim_group (team_id, lower(display_name))");
    this.addSql(`
      create table teams.scim_group_member (
        group_id text not null references teams.scim_group (id) on delete cascade,
        scim_user_id text not null references teams.scim_user (id) on delete cascade,
        primary key (group_id, scim_user_id)
      )`);
    this.addSql("create index scim_group_member_user on teams.scim_group_member (scim_user_id)");
  }
}
