import { Migration } from "@mikro-orm/migrations";

/** Adds the invitation emails of the last day, also of invitations that were withdrawn. */
export class InvitationMails extends Migration {
  override up(): void {
    this.addSql(`
      create table teams.invitation_mail (
        invitation_id text primary key,
        sender text not null,
        at timestamptz not null default now()
      )`);
    this.addSql("create index invitation_mail_by_sender on teams.invitation_mail (sender, at)");
  }

  override down(): void {
    this.addSql("drop table teams.invitation_mail");
  }
}
