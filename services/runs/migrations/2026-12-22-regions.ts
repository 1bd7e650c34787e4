import { Migration } from "@mikro-orm/migrations";

/** Adds the region of screenshots, and fixes the rendering of a run for each region instead of once. */
export class Regions extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column region text");
    this.addSql("alter table runs.run add column renderings jsonb not null default '{}'");
    this.addSql(
      "update runs.run set renderings = jsonb_build_object('', rendering) where rendering is not null",
    );
    this.addSql("alter table runs.run drop column rendering");
  }

  override down(): void {
    this.addSql("alter table runs.run add column rendering text");
    this.addSql("update runs.run set rendering = renderings ->> ''");
    this.addSql("alter table runs.run drop column renderings");
    this.addSql("alter table runs.screenshot drop column region");
  }
}
