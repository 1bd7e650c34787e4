import { Migration } from "@mikro-orm/migrations";

/** Apps that operators create at the code host, until they come back from there. */
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
