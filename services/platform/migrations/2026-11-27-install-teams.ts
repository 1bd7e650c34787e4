import { Migration } from "@mikro-orm/migrations";

/** Adds the teams of installations and the settings of projects. */
export class InstallTeams extends Migration {
  override up(): void {
    // A team outlives its installation, so that an account that installs again gets its team back.
    this.addSql(`
      create table platform.team (
        configuration_id text primary key,
        owner_id text,
        team_id text,
        api_key jsonb,
        claimed_at timestamptz not null default now(),
        decided_at timestamptz
      )`);
    this.addSql("create index team_owner on platform.team (owner_id)");
    // Existing installations have the team of SERVICE_API_KEY, with their baselines.
    this.addSql(`
      insert into platform.team (configuration_id, owner_id, decided_at)
      select configuration_id, owner_id, now() from platform.install`);
    this.addSql(`
      create table platform.project_settings (
        configuration_id text not null,
        project_id text not null,
        routes jsonb,
        routes_from_config boolean,
        api_key jsonb,
        updated_at timestamptz not null default now(),
        primary key (configuration_id, project_id)
      )`);
  }
}
