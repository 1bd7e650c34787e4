import { Migration } from "@mikro-orm/migrations";

/** Adds events that wait for the alerts service, which sends them to webhooks. */
export class OutgoingEvents extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.outgoing_event (
        seq bigint generated always as identity primary key,
        id text not null unique,
        type text not null,
        team_id text not null,
        project text not null,
        subject text not null,
        data jsonb not null,
        created_at timestamptz not null default now()
      )`);
  }

  override down(): void {
    this.addSql("drop table runs.outgoing_event");
  }
}
