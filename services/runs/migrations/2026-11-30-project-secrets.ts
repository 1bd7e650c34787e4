import { Migration } from "@mikro-orm/migrations";

/** Adds secrets of projects. They belong to the project's name, because they are needed before its first run. */
export class ProjectSecrets extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.secret (
        id text primary key,
        team_id text not null,
        project text not null,
        name text not null,
        value jsonb not null,
        changed_by text not null,
        changed_at timestamptz not null default now(),
        unique (team_id, project, name)
      )`);
  }

  override down(): void {
    this.addSql("drop table runs.secret");
  }
}
