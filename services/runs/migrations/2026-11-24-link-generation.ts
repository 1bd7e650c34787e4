import { Migration } from "@mikro-orm/migrations";

/** How often the links of a run were revoked: a link of an earlier time opens nothing. */
export class LinkGeneration extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column link_generation int not null default 0");
  }
}
