import { Migration } from "@mikro-orm/migrations";

/** Adds how long links of a team's reports and images are valid, and for whom. */
export class LinkSettings extends Migration {
  override up(): void {
    this.addSql(`
      alter table teams.team
        add column link_days int not null default 90 check (link_days between 1 and 365),
        add column public_links boolean not null default true`);
  }
}
