import { Migration } from "@mikro-orm/migrations";

/** The team that an installation's runs are for, and what its projects are captured with. */
export class InstallTeams extends Migration {
  override up(): void {
    // It outlives the installation: the same account that installs again finds its team again.
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
    // What was installed before had the team of SERVICE_API_KEY, and its baselines are there.
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
