import type { Migration } from "@mikro-orm/migrations";
import type { EntityManager } from "../../../mixins/database.ts";

/** Runs a migration's `down`. Services themselves only migrate up. */
export async function revertMigration(
  em: EntityManager,
  Reverted: new (...args: ConstructorParameters<typeof Migration>) => Migration,
): Promise<void> {
  const migration = new Reverted(em.getDriver(), em.config);
  await migration.down();
  for (const query of migration.getQueries()) await em.execute(String(query));
}

/** Runs the `down` of a migration and of all later ones, the newest first. @param name end of its name */
export async function revertFrom(
  em: EntityManager,
  migrations: readonly { name: string; class: Parameters<typeof revertMigration>[1] }[],
  name: string,
): Promise<void> {
  const index = migrations.findIndex(migration => migration.name.endsWith(name));
  for (const migration of migrations.slice(index).toReversed()) await revertMigration(em, migration.class);
}

/** Returns the columns and indexes of a schema, to compare them. */
export async function readCatalog(em: EntityManager, schema: string): Promise<string[]> {
  const rows: { name: string }[] = await em.execute(
    `select table_name || '.' || column_name || ' ' || data_type as name from information_schema.columns
     where table_schema = ?
     union all select indexdef from pg_indexes where schemaname = ? order by 1`,
    [schema, schema],
  );
  return rows.map(({ name }) => name);
}
