import { Migration } from "@mikro-orm/migrations";

/** What two colours count as one is a setting; until now it was 0.1 everywhere. */
export class ColorThreshold extends Migration {
  override up(): void {
    this.addSql(
      "alter table runs.screenshot add column color_threshold double precision not null default 0.1",
    );
  }
}
