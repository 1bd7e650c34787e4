import { Migration } from "@mikro-orm/migrations";

/** Adds the rendering fingerprint to runs, screenshots, and baselines. */
export class Renderings extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column rendering text, add column recaptured_at timestamptz");
    this.addSql("alter table runs.screenshot add column rendering text, add column baseline_rendering text");
    this.addSql("alter table runs.baseline add column rendering text");
  }
}
