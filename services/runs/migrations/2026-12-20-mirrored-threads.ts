import { Migration } from "@mikro-orm/migrations";

/** Adds where threads appear on pull requests, and the origin of replies that come from there. */
export class MirroredThreads extends Migration {
  override up(): void {
    this.addSql("alter table runs.comment add column external_url text");
    this.addSql(
      `alter table runs.project add column mirror_threads text not null default 'private'
         check (mirror_threads in ('private', 'always', 'never'))`,
    );
  }

  override down(): void {
    this.addSql("alter table runs.project drop column mirror_threads");
    this.addSql("alter table runs.comment drop column external_url");
  }
}
