import { Migration } from "@mikro-orm/migrations";

/** Adds archives: static sites that projects upload, with the files that they keep in the store. */
export class AddArchives extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.archive (
        id text primary key,
        files int not null,
        bytes bigint not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql(`
      create table runs.archive_file (
        archive_id text not null references runs.archive (id) on delete cascade,
        hash text not null,
        primary key (archive_id, hash)
      )`);
    this.addSql("create index archive_file_reference on runs.archive_file (hash)");
    // By name, because the first run creates the project, with its default branch.
    this.addSql(`
      create table runs.project_archive (
        team_id text not null,
        project text not null,
        archive_id text not null references runs.archive (id),
        created_at timestamptz not null default now(),
        used_at timestamptz not null default now(),
        primary key (team_id, project, archive_id)
      )`);
    this.addSql("create index project_archive_reference on runs.project_archive (archive_id)");
    this.addSql("alter table runs.run add column archive text");
    this.addSql("create index run_archive on runs.run (archive) where archive is not null");
  }

  override down(): void {
    this.addSql("delete from runs.run where archive is not null");
    this.addSql("alter table runs.run drop column archive");
    this.addSql("drop table runs.project_archive");
    this.addSql("drop table runs.archive_file");
    this.addSql("drop table runs.archive");
  }
}
