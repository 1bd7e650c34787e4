import { Migration } from "@mikro-orm/migrations";

/** Adds the regions whose renderers capture a monitor's pages, and how many of them must agree. */
export class AddRegions extends Migration {
  override up(): void {
    this.addSql(`
      alter table monitors.monitor add column regions jsonb not null default '[]',
        add column agree int not null default 1`);
  }

  override down(): void {
    this.addSql("alter table monitors.monitor drop column regions, drop column agree");
  }
}
