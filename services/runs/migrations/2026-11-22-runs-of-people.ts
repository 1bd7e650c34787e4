import { Migration } from "@mikro-orm/migrations";

export class RunsOfPeople extends Migration {
  override up(): void {
    // Adds an index to find a team's own runs among the runs of its monitors, which can be thousands.
    this.addSql("create index run_of_people on runs.run (team_id, id) where project not like 'monitor/%'");
  }
}
