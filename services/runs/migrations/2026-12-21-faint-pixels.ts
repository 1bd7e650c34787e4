import { Migration } from "@mikro-orm/migrations";

/** Adds the number of pixels that differ by less than the color threshold. Earlier comparisons didn't count them. */
export class FaintPixels extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column faint_pixels int not null default 0");
    this.addSql("alter table runs.pair add column faint_pixels int not null default 0");
  }

  override down(): void {
    this.addSql("alter table runs.pair drop column faint_pixels");
    this.addSql("alter table runs.screenshot drop column faint_pixels");
  }
}
