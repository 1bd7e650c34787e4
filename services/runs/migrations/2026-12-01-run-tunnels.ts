import { Migration } from "@mikro-orm/migrations";

/** Adds the tunnel through which a run reaches its local application. */
export class RunTunnels extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column tunnel text");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column tunnel");
  }
}
