import { Migration } from "@mikro-orm/migrations";

/** When a monitor's channels were last sent samples. */
export class Tests extends Migration {
  override up(): void {
    this.addSql("alter table monitors.monitor add column tested_at timestamptz");
  }
}
