import { Migration } from "@mikro-orm/migrations";

/** Makes the color threshold a setting. Before, it was 0.1 everywhere. */
export class ColorThreshold extends Migration {
  override up(): void {
    this.addSql(
      "alter table runs.screenshot add column color_threshold double precision not null default 0.1",
    );
  }
}
