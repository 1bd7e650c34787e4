import { Migration } from "@mikro-orm/migrations";

export class RunsOfPeople extends Migration {
  override up(): void {
    // A team's own runs are looked for among the checks of its monitors, of which there may be thousands for each.
    this.addSql("create index run_of_people on runs.run (team_id, id) where project not like 'monitor/%'");
  }
}
