import { Migration } from "@mikro-orm/migrations";

/** Adds the width of the image to observations of noise. Until now, it was the viewport's width. */
export class NoiseWidths extends Migration {
  override up(): void {
    this.addSql("alter table runs.noise_observation add column image_width int");
    this.addSql("update runs.noise_observation set image_width = viewport");
    this.addSql("alter table runs.noise_observation alter column image_width set not null");
  }

  override down(): void {
    this.addSql("alter table runs.noise_observation drop column image_width");
  }
}
