import { Migration } from "@mikro-orm/migrations";

/** Which runs confirm what an earlier one found, so that they are captured in fresh browser contexts. */
export class Confirmations extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column is_confirmation boolean not null default false");
  }
}
