import { Migration } from "@mikro-orm/migrations";

/** Adds what a run needs to be submitted again, beyond its rows and its kept options. */
export class AddReruns extends Migration {
  override up(): void {
    this.addSql("alter table runs.run add column submitted jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column submitted");
  }
}
