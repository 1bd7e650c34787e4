import { Migration } from "@mikro-orm/migrations";

/** Adds repositories of keys, and the short-lived keys that their CI jobs get. */
export class ExchangedKeys extends Migration {
  override up(): void {
    this.addSql("alter table teams.api_key add column upload_repository text");
    this.addSql(`
      create table teams.exchanged_key (
        hash text primary key,
        key_id text not null references teams.api_key (id) on delete cascade,
        token_id text not null unique,
        expires_at timestamptz not null,
        forget_at timestamptz not null
      )`);
    this.addSql("create index exchanged_key_key on teams.exchanged_key (key_id)");
  }
}
