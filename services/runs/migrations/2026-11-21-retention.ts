import { Migration } from "@mikro-orm/migrations";

export class Retention extends Migration {
  override up(): void {
    // Runs beyond a plan's retention are searched every hour.
    this.addSql("create index run_ended on runs.run (team_id, completed_at) where completed_at is not null");
  }
}
