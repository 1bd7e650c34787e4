import { Migration } from "@mikro-orm/migrations";

/** Adds what the pages of stories load, so that unchanged stories can be skipped. */
export class AddChangedStories extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column stories jsonb");
    this.addSql("alter table runs.storybook add column only_changed boolean not null default false");
    this.addSql("alter table runs.storybook add column sources jsonb not null default '{}'");
    this.addSql("alter table runs.archive add column story_files jsonb");
    this.addSql(`
      create table runs.story_files (
        project_id text not null references runs.project (id) on delete cascade,
        id text not null,
        loaded jsonb not null,
        seen_at timestamptz not null default now(),
        primary key (project_id, id)
      )`);
    this.addSql(`
      create table runs.story_record (
        project_id text not null references runs.project (id) on delete cascade,
        route text not null,
        state text not null default '',
        environment text not null default '',
        viewport int not null,
        image_hash text not null,
        settings text not null,
        files_id text not null,
        sources text,
        seen_at timestamptz not null default now(),
        primary key (project_id, route, state, environment, viewport, image_hash, settings)
      )`);
  }

  override down(): void {
    this.addSql("drop table runs.story_record");
    this.addSql("drop table runs.story_files");
    this.addSql("alter table runs.archive drop column story_files");
    this.addSql("alter table runs.storybook drop column sources");
    this.addSql("alter table runs.storybook drop column only_changed");
    this.addSql("update runs.screenshot set story = story - 'inputs' where story is not null");
    this.addSql("alter table runs.run drop column stories");
  }
}
