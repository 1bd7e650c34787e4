import { Migration } from "@mikro-orm/migrations";

/** Adds the apps that operators are creating at the code host. */
export class BegunApps extends Migration {
  override up(): void {
    this.addSql(`
      create table scm.begun_app (
        state_hash text primary key,
        actor_id text not null,
        organization text,
        created_at timestamptz not null
      )`);
  }
}
