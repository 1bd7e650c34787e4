import { Migration } from "@mikro-orm/migrations";

/** Adds the project of keys that can only upload to it. */
export class UploadKeys extends Migration {
  override up(): void {
    this.addSql("alter table teams.api_key add column upload_project text");
  }
}
