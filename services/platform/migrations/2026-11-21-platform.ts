import { Migration } from "@mikro-orm/migrations";

export class Platform extends Migration {
  override up(): void {
    this.addSql(`
      create table platform.install (
        configuration_id text primary key,
        owner_id text unique,
        all_projects boolean not null,
        installed_at timestamptz not null
      )`);
    // Deleting a consent also deletes those registered under it, in the same statement.
    this.addSql(`
      create table platform.consent (
        key text primary key,
        configuration_id text references platform.install on delete cascade,
        registered_by text references platform.consent on delete cascade,
        registered_at timestamptz not null
      )`);
    this.addSql("create index consent_configuration on platform.consent (configuration_id)");
    this.addSql("create index consent_registered_by on platform.consent (registered_by)");
    this.addSql(`
      create table platform.delivery (
        id text primary key,
        claim text not null,
        claimed_at timestamptz not null,
        done_at timestamptz
      )`);
    this.addSql("create index delivery_claimed on platform.delivery (claimed_at)");
    this.addSql(`
      create table platform.begun (
        state_hash text primary key,
        browser_hash text not null,
        created_at timestamptz not null
      )`);
  }
}
