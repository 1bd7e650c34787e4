import { Migration } from "@mikro-orm/migrations";

/** Adds when API keys expire. Null for keys that don't. */
export class KeyExpiry extends Migration {
  override up(): void {
    this.addSql("alter table teams.api_key add column expires_at timestamptz");
  }
}
