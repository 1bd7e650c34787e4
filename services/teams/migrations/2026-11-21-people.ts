import { Migration } from "@mikro-orm/migrations";

export class People extends Migration {
  override up(): void {
    this.addSql("alter table teams.team add column deleted_at timestamptz");
    this.addSql(`
      create table teams."user" (
        id text primary key,
        host_id text not null unique,
        login text,
        name text,
        created_at timestamptz not null default now(),
        signed_in_at timestamptz not null default now()
      )`);
    this.addSql('create unique index user_login on teams."user" (lower(login))');
    this.addSql(`
      create table teams.membership (
        team_id text not null references teams.team (id) on delete cascade,
        user_id text not null references teams."user" (id) on delete cascade,
        role text not null check (role in ('viewer', 'reviewer', 'admin')),
        joined_at timestamptz not null default clock_timestamp(),
        primary key (team_id, user_id)
      )`);
    this.addSql("create index membership_user on teams.membership (user_id, joined_at)");
    // Keys are deleted with their team, and lose their user with the user's account.
    this.addSql(`
      alter table teams.api_key
        add column made_by text references teams."user" (id) on delete set null,
        drop constraint api_key_team_id_fkey,
        add constraint api_key_team_id_fkey foreign key (team_id) references teams.team (id) on delete cascade`);
    this.addSql(`
      create table teams.invitation (
        id text primary key,
        team_id text not null references teams.team (id) on delete cascade,
        login text,
        email text,
        role text not null check (role in ('viewer', 'reviewer', 'admin')),
        invited_by text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        check ((login is null) <> (email is null))
      )`);
    this.addSql("create unique index invitation_login on teams.invitation (team_id, lower(login))");
    this.addSql("create unique index invitation_email on teams.invitation (team_id, lower(email))");
    this.addSql("create index invitation_by_login on teams.invitation (lower(login))");
    this.addSql("create index invitation_by_email on teams.invitation (lower(email))");
    this.addSql(`
      create table teams.session (
        id text primary key,
        hash text not null unique,
        previous_hash text unique,
        previous_until timestamptz,
        user_id text references teams."user" (id) on delete cascade,
        key_id text references teams.api_key (id) on delete cascade,
        created_at timestamptz not null default now(),
        used_at timestamptz not null default now(),
        renewed_at timestamptz not null default now(),
        check ((user_id is null) <> (key_id is null))
      )`);
    this.addSql("create index session_by_user on teams.session (user_id)");
    this.addSql("create index session_by_key on teams.session (key_id)");
    this.addSql(`
      create table teams.sign_in (
        state_hash text primary key,
        browser_hash text not null,
        verifier text not null,
        next text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql(`
      create table teams.activity (
        id text primary key,
        team_id text not null references teams.team (id) on delete cascade,
        type text not null,
        actor_kind text not null check (actor_kind in ('key', 'user')),
        actor_id text not null,
        actor_name text not null,
        target text,
        details jsonb not null default '{}',
        at timestamptz not null default now()
      )`);
    this.addSql("create index activity_team on teams.activity (team_id, id)");
  }
}
