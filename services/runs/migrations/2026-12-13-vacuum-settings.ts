import { Migration } from "@mikro-orm/migrations";

/** Tables whose indexes of unfinished work are read at every dispatch. */
const TABLES = ["run", "screenshot"];
/** Each dispatch reads the entries of finished work until a vacuum. By default, it waits for a fifth of the table. */
const CHANGED_ROWS = 2_000;

/** Vacuums the tables of runs after a number of changed rows, however large they are. */
export class VacuumSettings extends Migration {
  override up(): void {
    for (const table of TABLES)
      this.addSql(
        `alter table runs.${table} set (autovacuum_vacuum_scale_factor = 0,
           autovacuum_vacuum_threshold = ${CHANGED_ROWS})`,
      );
  }

  override down(): void {
    for (const table of TABLES)
      this.addSql(
        `alter table runs.${table} reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`,
      );
  }
}
