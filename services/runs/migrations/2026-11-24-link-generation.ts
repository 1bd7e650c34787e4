import { Migration } from "@mikro-orm/migrations";

/** Counts how often a run's links were revoked. Links of an earlier generation open nothing. */
export class LinkGeneration extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column link_generation int not null default 0");
  }
}
