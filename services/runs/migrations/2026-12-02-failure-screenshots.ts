import { Migration } from "@mikro-orm/migrations";

/** Adds the image of a page at its failed step or login. */
export class FailureScreenshots extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column failure_hash text");
    // The cleanup checks a thousand images at a time for rows that refer to them.
    this.addSql(
      "create index screenshot_failure_hash on runs.screenshot (failure_hash) where failure_hash is not null",
    );
  }

  override down(): void {
    this.addSql("alter table runs.screenshot drop column failure_hash");
  }
}
