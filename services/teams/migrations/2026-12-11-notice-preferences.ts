import { Migration } from "@mikro-orm/migrations";

/** Adds what people chose to be notified of. People without a row have the defaults. */
export class NoticePreferenceTable extends Migration {
  override up(): void {
    this.addSql(`
      create table teams.notice_preference (
        user_id text primary key references teams."user" (id) on delete cascade,
        reviews text not null check (reviews in ('assigned', 'all', 'none')),
        mentions boolean not null,
        decisions boolean not null,
        monitors boolean not null
      )`);
  }

  override down(): void {
    this.addSql("drop table teams.notice_preference");
  }
}
