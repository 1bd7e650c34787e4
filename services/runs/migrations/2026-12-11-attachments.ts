import { Migration } from "@mikro-orm/migrations";

/** Adds attachments: files of tests that users upload with their screenshots. */
export class AddAttachments extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.attachment (
        project_id text not null references runs.project (id) on delete cascade,
        hash text not null,
        kind text not null,
        bytes int not null,
        used_at timestamptz not null default now(),
        primary key (project_id, hash)
      )`);
    this.addSql("create index attachment_file on runs.attachment (hash)");
    // The attachments that a run shows. They are kept as long as the run.
    this.addSql(`
      create table runs.run_attachment (
        run_id text not null references runs.run (id) on delete cascade,
        hash text not null,
        shard text not null,
        primary key (run_id, hash)
      )`);
    this.addSql("create index run_attachment_file on runs.run_attachment (hash)");
  }

  override down(): void {
    this.addSql("drop table runs.run_attachment");
    this.addSql("drop table runs.attachment");
  }
}
