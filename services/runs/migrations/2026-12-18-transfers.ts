import { Migration } from "@mikro-orm/migrations";

/** Adds exports and imports of teams, their parts, and the files that they need. */
export class AddTransfers extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.transfer (
        id text primary key,
        team_id text not null,
        kind text not null check (kind in ('export', 'import')),
        status text not null check (status in ('receiving', 'running', 'completed', 'failed')),
        caller jsonb not null,
        options jsonb not null default '{}',
        manifest jsonb not null default '{}',
        digest text,
        step int not null default 0,
        position jsonb not null default '{}',
        counts jsonb not null default '{}',
        left_out jsonb not null default '[]',
        notes jsonb not null default '[]',
        error text,
        created_at timestamptz not null default now(),
        leased_until timestamptz,
        ended_at timestamptz,
        expires_at timestamptz
      )`);
    this.addSql(
      "create unique index transfer_unfinished on runs.transfer (team_id, kind) where ended_at is null",
    );
    this.addSql("create index transfer_team on runs.transfer (team_id, kind, id)");
    this.addSql(`
      create table runs.transfer_part (
        transfer_id text not null references runs.transfer (id) on delete cascade,
        number int not null,
        service text not null,
        table_name text not null,
        rows int not null,
        hash text not null,
        primary key (transfer_id, number)
      )`);
    this.addSql("create index transfer_part_hash on runs.transfer_part (hash)");
    this.addSql(`
      create table runs.transfer_file (
        transfer_id text not null references runs.transfer (id) on delete cascade,
        hash text not null,
        kind text not null check (kind in ('image', 'capsule', 'file')),
        primary key (transfer_id, hash)
      )`);
    this.addSql("create index transfer_file_hash on runs.transfer_file (hash)");
  }

  override down(): void {
    this.addSql("drop table runs.transfer_file");
    this.addSql("drop table runs.transfer_part");
    this.addSql("drop table runs.transfer");
  }
}
