import { Migration } from "@mikro-orm/migrations";

export class FromTemplate extends Migration {
  override up(): void {
    this.addSql("alter table scm.check_run add column from_template boolean not null default false");
  }
}
