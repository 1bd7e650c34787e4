import { Migration } from "@mikro-orm/migrations";

/** Encrypts the key that signs links like other secrets, which are JSON. */
export class SealedLinkKey extends Migration {
  override up(): void {
    this.addSql("alter table runs.link_key alter column key type jsonb using to_jsonb(key)");
  }
}
