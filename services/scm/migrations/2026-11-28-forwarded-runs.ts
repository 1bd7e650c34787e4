import { Migration } from "@mikro-orm/migrations";

/** Adds runs that the deployment platform's integration submits for installations with their own team. */
export class ForwardedRuns extends Migration {
  override up(): void {
    this.addSql(`
      create table scm.forwarded_run (
        digest text primary key,
        team_id text not null,
        owner text not null,
        repo text not null,
        sha text not null,
        forwarded_at timestamptz not null
      )`);
    this.addSql("create index forwarded_run_team on scm.forwarded_run (team_id, forwarded_at)");
    this.addSql("create index forwarded_run_commit on scm.forwarded_run (sha)");
    // Null for the app's team.
    this.addSql("alter table scm.check_run add column team_id text");
    this.addSql("alter table scm.adoption add column team_id text");
  }
}
