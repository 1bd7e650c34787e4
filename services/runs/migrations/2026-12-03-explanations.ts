import { Migration } from "@mikro-orm/migrations";

/** Adds capsules, which explain images, and the explanations of screenshots and runs. */
export class Explanations extends Migration {
  override up(): void {
    // The image itself doesn't identify a capsule: other pages and other teams can have equal pixels.
    this.addSql(`
      create table runs.capsule (
        project_id text not null references runs.project (id) on delete cascade,
        route text not null,
        state text not null,
        environment text not null,
        viewport int not null,
        image_hash text not null,
        capsule_hash text not null,
        primary key (project_id, route, state, environment, viewport, image_hash)
      )`);
    // The cleanup checks a thousand files at a time for rows that refer to them.
    this.addSql("create index capsule_hash on runs.capsule (capsule_hash)");
    this.addSql("alter table runs.screenshot add column explanation jsonb");
    this.addSql("alter table runs.run add column causes jsonb not null default '[]'");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column causes");
    this.addSql("alter table runs.screenshot drop column explanation");
    this.addSql("drop table runs.capsule");
  }
}
