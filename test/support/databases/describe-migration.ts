import type { EntityManager } from "../../../mixins/database.ts";
import { DatabaseNode } from "./database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "./databases.ts";

/** A service's schema, first as it was before one of its migrations. */
export interface MigratedSchema {
  em(): EntityManager;
  /** Runs that migration and all later ones, as a service's start does. */
  migrate(): Promise<void>;
}

type DatabaseOptions = NonNullable<Parameters<typeof DatabaseNode.start>[1]>;

interface MigrationOptions extends Pick<DatabaseOptions, "schema" | "entities" | "migrations"> {
  /** The end of the migration's name, such as `-reviews`. */
  name: string;
  /** Inserts rows of the earlier version. */
  seed?: (em: EntityManager) => Promise<void>;
}

/** Describes a migration on each database, which starts empty. */
export function describeMigration(
  title: string,
  { name, seed, ...options }: MigrationOptions,
  tests: (schema: MigratedSchema) => void,
): void {
  const { migrations } = options;
  const index = migrations.findIndex(migration => migration.name.endsWith(name));
  if (index < 0) throw new Error(`There is no migration ${name}.`);
  const earlier = migrations.slice(0, index);
  for (const kind of MAIN_DATABASES) {
    describe(`${title}, on ${kind.name}`, () => {
      kind.needed();
      let database: TestDatabase;
      let node: DatabaseNode;
      const start = async (which: typeof migrations) => {
        await node?.stop();
        node = await DatabaseNode.start(database.env, { ...options, migrations: which });
      };

      before(async () => {
        database = await kind.make({ empty: true });
        await start(earlier);
        await seed?.(node.em());
      });
      after(async () => {
        await node?.stop();
        await database?.remove();
      });

      tests({ em: () => node.em(), migrate: () => start(migrations) });
    });
  }
}
