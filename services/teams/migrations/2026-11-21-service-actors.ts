import { Migration } from "@mikro-orm/migrations";

export class ServiceActors extends Migration {
  override up(): void {
    // A monitor approves its first check by itself.
    this.addSql("alter table teams.activity drop constraint activity_actor_kind_check");
    this.addSql(
      "alter table teams.activity add constraint activity_actor_kind_check check (actor_kind in ('key', 'user', 'service'))",
    );
  }
}
