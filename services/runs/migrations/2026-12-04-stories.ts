import { Migration } from "@mikro-orm/migrations";

/** Adds runs of Storybooks: their stories are listed by a renderer, and are the pages of their screenshots. */
export class AddStories extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.storybook (
        run_id text primary key references runs.run (id) on delete cascade,
        tags jsonb not null,
        viewports jsonb not null,
        compared_with jsonb not null,
        dispatched_at timestamptz not null default now(),
        dispatches int not null default 1,
        listed_at timestamptz
      )`);
    this.addSql("create index storybook_unlisted on runs.storybook (dispatched_at) where listed_at is null");
    this.addSql("alter table runs.screenshot add column story jsonb");
    this.addSql("alter table runs.baseline add column story jsonb");
  }

  override down(): void {
    this.addSql("delete from runs.baseline where story is not null");
    this.addSql("delete from runs.run where id in (select run_id from runs.storybook)");
    this.addSql("alter table runs.baseline drop column story");
    this.addSql("alter table runs.screenshot drop column story");
    this.addSql("drop table runs.storybook");
  }
}
