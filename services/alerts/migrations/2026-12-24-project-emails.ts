import { Migration } from "@mikro-orm/migrations";

/** Adds the email addresses of projects, with those whose readers unsubscribed. */
export class AddProjectEmails extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.project_email (
        id text primary key,
        team_id text not null,
        project text not null,
        target jsonb not null,
        opted_out jsonb not null default '[]',
        changed_by text not null,
        changed_at timestamptz not null default now(),
        unique (team_id, project)
      )`);
  }

  override down(): void {
    this.addSql("drop table alerts.project_email");
  }
}
