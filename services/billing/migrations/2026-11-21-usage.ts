import { Migration } from "@mikro-orm/migrations";

export class Usage extends Migration {
  override up(): void {
    this.addSql(`
      create table billing.usage (
        team_id text not null,
        period_start timestamptz not null,
        runs int not null,
        screenshots int not null,
        primary key (team_id, period_start)
      )`);
    this.addSql(`
      create table billing.taken (
        run_id text primary key,
        team_id text not null,
        period_start timestamptz not null,
        screenshots int not null,
        taken_at timestamptz not null,
        settled_at timestamptz
      )`);
    this.addSql("create index taken_unsettled on billing.taken (taken_at) where settled_at is null");
    this.addSql("create index taken_period on billing.taken (period_start)");
    this.addSql(`
      create table billing.notice (
        team_id text not null,
        period_start timestamptz not null,
        allowance text not null,
        percent int not null,
        usage_limit int not null,
        used int not null,
        noticed_at timestamptz not null,
        told_at timestamptz,
        primary key (team_id, period_start, allowance, percent)
      )`);
    this.addSql("create index notice_untold on billing.notice (noticed_at) where told_at is null");
  }
}
