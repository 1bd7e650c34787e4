import { MikroORM } from "@mikro-orm/pglite";
import type { Config } from "../../shared/config.ts";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "./embedded-database.ts";
import { type OpenSchema, ormOptions, type SchemaOptions } from "./open-schema.ts";

/** Opens a service's schema in the database of this process's data directory. */
export async function openEmbeddedSchema(config: Config, options: SchemaOptions): Promise<OpenSchema> {
  try {
    const pglite = await openEmbeddedDatabase(config);
    const orm = await MikroORM.init({ ...ormOptions(options), dbName: "vrs", driverOptions: { pglite } });
    await orm.em.execute(`create schema if not exists "${options.schema}"`);
    await orm.migrator.up();
    return {
      em: () => orm.em.fork(),
      async close() {
        await orm.close();
        await closeEmbeddedDatabase(config.dataDir);
      },
    };
  } catch (error) {
    // Whatever closing it says, what came first is the cause.
    await closeEmbeddedDatabase(config.dataDir).catch(() => {});
    throw error;
  }
}
