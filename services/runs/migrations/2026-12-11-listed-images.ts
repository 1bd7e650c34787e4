import { Migration } from "@mikro-orm/migrations";

/** Finds an image among those that a build lists. Each uploaded image is looked up. */
export class ListedImages extends Migration {
  override up(): void {
    this.addSql("create index build_screenshot_image on runs.build_screenshot (run_id, hash)");
  }

  override down(): void {
    this.addSql("drop index runs.build_screenshot_image");
  }
}
