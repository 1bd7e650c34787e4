import type { AnyEntity, EntityClass, EntitySchema, MigrationObject } from "@mikro-orm/core";
import { Migrator } from "@mikro-orm/migrations";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Service } from "moleculer";
import type { SecretPurpose } from "../../shared/secrets/secret-box.ts";

/** A unit of work on PostgreSQL, the embedded one or a server. */
export type EntityManager = SqlEntityManager;

/** Where a service stores secrets: SQL that finds them, reads one as JSON and replaces it. */
export interface SealedColumn {
  table: string;
  /** The column that names a row. */
  key: string;
  purpose: SecretPurpose;
  /** SQL of the value, as JSON. */
  value: string;
  /** SQL that sets it to one parameter. */
  set: string;
  /** SQL of the rows that may hold a secret; an index should find them. */
  where: string;
  /** SQL that gives up a secret whose key is lost, before `where`. */
  drop: string;
}

/** What a service keeps in the database. */
export interface SchemaOptions {
  /** The service's PostgreSQL schema; no other service reads it. */
  schema: string;
  entities: (EntityClass<AnyEntity> | EntitySchema)[];
  migrations: MigrationObject[];
  /** Where it stores secrets, which are encrypted with the current key at start. */
  sealed?: SealedColumn[];
}

/** A service's schema with its tables up to date. */
export interface OpenSchema {
  /** A new unit of work. */
  em(): EntityManager;
  close(): Promise<void>;
}

/** What opening a schema is done with. */
export interface OpenWith {
  logger: Service["logger"];
  /** Ends the waiting for a server that is not there. */
  signal: AbortSignal;
}

/** The settings that both databases have in common. */
export function ormOptions({ schema, entities, migrations }: SchemaOptions) {
  return {
    entities,
    schema,
    extensions: [Migrator],
    logger: () => {},
    migrations: { migrationsList: migrations, tableName: "migration", snapshot: false },
  };
}
