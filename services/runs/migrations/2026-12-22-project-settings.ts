import { Migration } from "@mikro-orm/migrations";

/** Adds settings of projects that replace those of their team or plan. Null means the team's or the plan's. */
export class ProjectSettings extends Migration {
  override up(): void {
    this.addSql(
      `alter table runs.project
         add column required_approvals int check (required_approvals between 1 and 10),
         add column allow_self_approval boolean,
         add column retention_days int check (retention_days between 1 and 365),
         add column link_days int check (link_days between 1 and 365)`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table runs.project drop column required_approvals, drop column allow_self_approval,
         drop column retention_days, drop column link_days`,
    );
  }
}
