import { Migration } from "@mikro-orm/migrations";

/** Adds stored configurations. They belong to the project's name, because they are needed before its first run. */
export class ProjectConfigurations extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.configuration (
        id text primary key,
        team_id text not null,
        project text not null,
        version int not null,
        settings jsonb not null,
        changed_by text not null,
        changed_at timestamptz not null default now(),
        unique (team_id, project)
      )`);
  }

  override down(): void {
    this.addSql("drop table runs.configuration");
  }
}
