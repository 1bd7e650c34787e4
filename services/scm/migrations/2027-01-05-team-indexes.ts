import { Migration } from "@mikro-orm/migrations";

/** Tables whose rows of the app's own team have no team. The other tables with teams have an index. */
const TABLES = ["check_run", "external_run", "mirrored_run"];

/** Adds indexes that find the data of teams, which a periodic task searches for deleted ones. */
export class TeamIndexes extends Migration {
  override up(): void {
    for (const table of TABLES)
      this.addSql(`create index ${table}_team on scm.${table} (team_id) where team_id is not null`);
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop index scm.${table}_team`);
  }
}
