import { Migration } from "@mikro-orm/migrations";

/** Adds where the elements of ignore regions are, in screenshots and in the baselines that they become. */
export class SelectorRegionColumns extends Migration {
  override up(): void {
    this.addSql(
      "alter table runs.screenshot add column selector_regions jsonb, add column baseline_selector_regions jsonb",
    );
    this.addSql("alter table runs.baseline add column selector_regions jsonb");
  }

  override down(): void {
    this.addSql(
      "alter table runs.screenshot drop column selector_regions, drop column baseline_selector_regions",
    );
    this.addSql("alter table runs.baseline drop column selector_regions");
  }
}
