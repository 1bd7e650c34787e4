import { Migration } from "@mikro-orm/migrations";

export class Seats extends Migration {
  override up(): void {
    this.addSql("alter table teams.team add column seats int");
    // The user, who may be deleted later.
    this.addSql("alter table teams.team add column made_by text");
    this.addSql("create index team_made_by on teams.team (made_by) where made_by is not null");
    this.addSql("alter table teams.activity drop constraint activity_actor_kind_check");
    this.addSql(
      "alter table teams.activity add constraint activity_actor_kind_check check (actor_kind in ('key', 'user', 'service'))",
    );
    // Two nodes may report the same notice at once.
    this.addSql(`
      create unique index activity_usage on teams.activity
        (team_id, target, (details->>'percent'), (details->>'limit'), (details->>'resetsAt')) where type = 'usage.noticed'`);
  }
}
