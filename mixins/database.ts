import { Migrator } from "@mikro-orm/migrations";
import { type EntityManager, MikroORM, type Options } from "@mikro-orm/pglite";
import type { ServiceSchema } from "moleculer";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "./embedded-database.ts";

export type { EntityManager };

/** What the mixin gives its service. */
export interface WithDatabase {
  /** A new unit of work on the service's own schema. */
  em(): EntityManager;
}

interface DatabaseOptions {
  /** The service's PostgreSQL schema; no other service reads it. */
  schema: string;
  entities: NonNullable<Options["entities"]>;
  migrations: NonNullable<NonNullable<Options["migrations"]>["migrationsList"]>;
}

interface Internal extends WithDatabase {
  broker: object;
  orm: MikroORM | undefined;
}

/** Opens the service's schema at start, brings its tables up to date, and closes it at the end. */
export function database(options: DatabaseOptions): Partial<ServiceSchema> {
  return mixin<Internal>({
    async started() {
      const pglite = await openEmbeddedDatabase(configOf(this.broker));
      const orm = await MikroORM.init({
        entities: options.entities,
        schema: options.schema,
        dbName: "vrs",
        driverOptions: { pglite },
        extensions: [Migrator],
        logger: () => {},
        migrations: { migrationsList: options.migrations, tableName: "migration", snapshot: false },
      });
      this.orm = orm;
      this.em = () => orm.em.fork();
      await orm.em.execute(`create schema if not exists "${options.schema}"`);
      await orm.migrator.up();
    },
    async stopped() {
      await this.orm?.close();
      await closeEmbeddedDatabase(configOf(this.broker).dataDir);
    },
  });
}
