import type { Migration } from "@mikro-orm/migrations";
import type { EntityManager } from "../../../mixins/database.ts";

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

/** Runs the `down` statements of a migration. */
export async function undoMigration(em: EntityManager, Undone: MigrationClass): Promise<void> {
  const migration = new Undone(em.getDriver(), em.config);
  await migration.down();
  for (const query of migration.getQueries()) await em.execute(String(query));
}
