import { Migration } from "@mikro-orm/migrations";

/** Adds the slot time of teams, projects, and runs, by which they share the renderers' slots. */
export class SlotShares extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.slot_share (
        kind text not null check (kind in ('team', 'project', 'run')),
        id text not null,
        time_ms double precision not null,
        page_ms double precision,
        active boolean not null,
        touched_at timestamptz not null default now(),
        primary key (kind, id)
      )`);
  }
}
