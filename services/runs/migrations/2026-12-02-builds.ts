import { Migration } from "@mikro-orm/migrations";

/** Adds builds: runs whose screenshots users upload, with the images that a project already has. */
export class AddBuilds extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column source text not null default 'capture'");
    this.addSql("alter table runs.screenshot add column upload jsonb");
    this.addSql(`
      create table runs.build (
        run_id text primary key references runs.run (id) on delete cascade,
        project_id text not null references runs.project (id) on delete cascade,
        name text,
        nonce text,
        total int,
        subset boolean not null,
        compared_with jsonb not null,
        touched_at timestamptz not null default now(),
        closed_at timestamptz,
        finalized_at timestamptz,
        unique (project_id, nonce)
      )`);
    this.addSql("create index build_unfinished on runs.build (run_id) where finalized_at is null");
    this.addSql(`
      create table runs.build_shard (
        run_id text not null references runs.build (run_id) on delete cascade,
        name text not null,
        finalized_at timestamptz,
        primary key (run_id, name)
      )`);
    // A screenshot without a viewport has the width 0, because unique indexes would treat two nulls as different.
    this.addSql(`
      create table runs.build_screenshot (
        run_id text not null references runs.build (run_id) on delete cascade,
        name text not null,
        environment text not null,
        width int not null,
        shard text not null,
        hash text not null,
        retry int not null,
        metadata jsonb not null,
        seq bigserial,
        primary key (run_id, name, environment, width)
      )`);
    this.addSql(`
      create table runs.uploaded_image (
        project_id text not null references runs.project (id) on delete cascade,
        hash text not null,
        image_hash text not null,
        width int not null,
        height int not null,
        used_at timestamptz not null default now(),
        primary key (project_id, hash)
      )`);
    this.addSql("create index uploaded_image_reference on runs.uploaded_image (image_hash)");
    this.addSql("create index uploaded_image_age on runs.uploaded_image (used_at)");
  }

  override down(): void {
    this.addSql("delete from runs.run where source = 'upload'");
    this.addSql("drop table runs.uploaded_image");
    this.addSql("drop table runs.build_screenshot");
    this.addSql("drop table runs.build_shard");
    this.addSql("drop table runs.build");
    this.addSql("alter table runs.screenshot drop column upload");
    this.addSql("alter table runs.run drop column source");
  }
}
