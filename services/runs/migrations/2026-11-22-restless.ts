import { Migration } from "@mikro-orm/migrations";

export class Restless extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column restless boolean not null default false");
  }
}
