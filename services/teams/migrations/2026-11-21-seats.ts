import { Migration } from "@mikro-orm/migrations";

export class Seats extends Migration {
  override up(): void {
    this.addSql("alter table teams.team add column seats int");
    this.addSql("alter table teams.activity drop constraint activity_actor_kind_check");
    this.addSql(
      "alter table teams.activity add constraint activity_actor_kind_check check (actor_kind in ('key', 'user', 'service'))",
    );
    // A notice may be told twice, on two nodes at once.
    this.addSql(`
      create unique index activity_usage on teams.activity
        (team_id, target, (details->>'percent'), (details->>'resetsAt')) where type = 'usage.noticed'`);
  }
}
