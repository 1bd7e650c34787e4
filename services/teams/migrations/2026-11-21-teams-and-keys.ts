import { Migration } from "@mikro-orm/migrations";

export class TeamsAndKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table teams.team (
        id text primary key,
        name text not null,
        created_at timestamptz not null
      )`);
    this.addSql(`
      create table teams.api_key (
        id text primary key,
        team_id text not null references teams.team (id),
        name text not null,
        role text not null check (role in ('viewer', 'reviewer', 'admin')),
        hash text not null unique,
        tail text not null,
        created_at timestamptz not null,
        last_used_at timestamptz,
        revoked_at timestamptz
      )`);
    this.addSql("create index api_key_team on teams.api_key (team_id, id) where revoked_at is null");
  }
}
