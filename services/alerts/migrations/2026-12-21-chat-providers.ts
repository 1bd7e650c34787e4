import { Migration } from "@mikro-orm/migrations";

/** Adds the identity provider of the session that linked a person of a chat tool. */
export class AddChatProviders extends Migration {
  override up(): void {
    this.addSql("alter table alerts.chat_person add column provider text");
  }

  override down(): void {
    this.addSql("alter table alerts.chat_person drop column provider");
  }
}
