import { Migration } from "@mikro-orm/migrations";

/**
 * Adds identity providers, rules of a team's sign-in, and accounts at providers. An account is a provider's subject, or
 * a number at the code host. Logins are unique per provider, so that no provider takes a login from another.
 */
export class SingleSignOn extends Migration {
  override up(): void {
    this.addSql(`
      alter table teams."user"
        alter column host_id drop not null,
        add column provider text,
        add column subject text,
        add constraint user_account check (
          (host_id is null) = (provider is not null) and (provider is null) = (subject is null)
        )`);
    this.addSql('create unique index user_subject on teams."user" (provider, subject)');
    this.addSql("drop index teams.user_login");
    this.addSql(`create unique index user_login on teams."user" (coalesce(provider, ''), lower(login))`);
    this.addSql(`
      create table teams.provider (
        team_id text primary key references teams.team (id) on delete cascade,
        name text not null,
        issuer text not null,
        client_id text not null,
        client_secret jsonb not null,
        scopes text not null,
        groups_claim text not null,
        changed_at timestamptz not null default now()
      )`);
    this.addSql(`
      create table teams.sign_in_policy (
        team_id text primary key references teams.team (id) on delete cascade,
        default_role text check (default_role in ('viewer', 'reviewer', 'admin')),
        group_roles jsonb not null default '[]',
        enforced boolean not null default false
      )`);
    // The provider that manages the membership, or 'scim'. Null for members whom admins manage.
    this.addSql("alter table teams.membership add column managed_by text");
    this.addSql("alter table teams.sign_in add column provider text, add column nonce text");
    this.addSql(`
      alter table teams.session
        add column provider text,
        add column provider_sid text,
        add column id_token jsonb`);
    this.addSql(
      "create index session_by_sid on teams.session (provider, provider_sid) where provider_sid is not null",
    );
    this.addSql(`
      create table teams.logout_token (
        provider text not null,
        token_id text not null,
        forget_at timestamptz not null,
        primary key (provider, token_id)
      )`);
  }
}
