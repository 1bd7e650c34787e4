import { Migration } from "@mikro-orm/migrations";

/** Marks runs that confirm the result of an earlier run. They are captured in fresh browser contexts. */
export class Confirmations extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column is_confirmation boolean not null default false");
  }
}
