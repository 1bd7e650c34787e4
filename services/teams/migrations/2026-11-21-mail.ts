import { Migration } from "@mikro-orm/migrations";

export class MailAddresses extends Migration {
  override up(): void {
    this.addSql('alter table teams."user" add column email text');
    this.addSql("alter table teams.invitation add column mailed_at timestamptz");
    // Existing invitations were announced in another way.
    this.addSql("update teams.invitation set mailed_at = now()");
    this.addSql(
      "create index invitation_unmailed on teams.invitation (id) where mailed_at is null and email is not null",
    );
  }
}
