import { Migration } from "@mikro-orm/migrations";

/** Adds mentions in comments, reviewers of runs, and the people to notify of an event. */
export class AddPeople extends Migration {
  override up(): void {
    this.addSql("alter table runs.comment add column mentions jsonb not null default '[]'");
    this.addSql("create index comment_mentions on runs.comment using gin (mentions jsonb_path_ops)");
    this.addSql(`
      create table runs.assigned_reviewer (
        run_id text not null references runs.run (id) on delete cascade,
        user_id text not null,
        login text not null,
        assigned_by text,
        assigned_at timestamptz not null default now(),
        primary key (run_id, user_id)
      )`);
    this.addSql("create index assigned_reviewer_user on runs.assigned_reviewer (user_id, run_id)");
    this.addSql(`
      create table runs.reviewer_rules (
        team_id text not null,
        project text not null,
        rules jsonb not null,
        primary key (team_id, project)
      )`);
    this.addSql("alter table runs.outgoing_event add column notify jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.outgoing_event drop column notify");
    this.addSql("drop table runs.reviewer_rules");
    this.addSql("drop table runs.assigned_reviewer");
    this.addSql("alter table runs.comment drop column mentions");
  }
}
