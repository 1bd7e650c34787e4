import { Migration } from "@mikro-orm/migrations";

export class ImageReferences extends Migration {
  override up(): void {
    // The cleanup checks a thousand images at a time for rows that refer to them.
    this.addSql("create index screenshot_hash on runs.screenshot (hash) where hash is not null");
    this.addSql(
      "create index screenshot_baseline_hash on runs.screenshot (baseline_hash) where baseline_hash is not null",
    );
    this.addSql(
      "create index screenshot_mask_hash on runs.screenshot (mask_hash) where mask_hash is not null",
    );
    this.addSql("create index baseline_hash on runs.baseline (hash) where hash is not null");
    this.addSql("create table runs.chore (name text primary key, done_at timestamptz not null)");
  }
}
