import { MikroORM } from "@mikro-orm/pglite";
import type { Config } from "../../shared/config.ts";
import { SecretBox } from "../../shared/secrets/secret-box.ts";
import { SECRET_MESSAGES } from "../texts.ts";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "./embedded-database.ts";
import { type OpenSchema, ormOptions, type SchemaOptions } from "./open-schema.ts";
import { resealAll } from "./reseal.ts";
import { bindSecrets } from "./sealed-json.ts";

/** Opens a service's schema in the database of this process's data directory. */
export async function openEmbeddedSchema(
  config: Config,
  options: SchemaOptions,
  warn?: (message: string) => void,
): Promise<OpenSchema> {
  try {
    const { pglite, secretKeys } = await openEmbeddedDatabase(config, warn);
    const secrets = new SecretBox(secretKeys);
    const orm = await MikroORM.init({ ...ormOptions(options), dbName: "vrs", driverOptions: { pglite } });
    await orm.em.execute(`create schema if not exists "${options.schema}"`);
    await orm.migrator.up();
    bindSecrets(orm.em.getPlatform(), secrets);
    const em = () => orm.em.fork();
    const dropped = await resealAll(em, secrets, options.sealed ?? [], config.dropSecrets);
    if (dropped > 0) warn?.(SECRET_MESSAGES.dropped(dropped, options.schema));
    return {
      em,
      async close() {
        await orm.close();
        await closeEmbeddedDatabase(config.dataDir);
      },
    };
  } catch (error) {
    // An error while closing must not hide the first error.
    await closeEmbeddedDatabase(config.dataDir).catch(() => {});
    throw error;
  }
}
