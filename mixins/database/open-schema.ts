import type { AnyEntity, EntityClass, EntitySchema, MigrationObject } from "@mikro-orm/core";
import { Migrator } from "@mikro-orm/migrations";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Service } from "moleculer";
import type { SecretPurpose } from "../../shared/secrets/secret-box.ts";

/** A unit of work on PostgreSQL, embedded or on a server. */
export type EntityManager = SqlEntityManager;

/** A place where a service stores secrets: SQL that finds them, reads one as JSON, and replaces it. */
export interface SealedColumn {
  table: string;
  /** The column that identifies a row. */
  key: string;
  purpose: SecretPurpose;
  /** SQL of the value, as JSON. */
  value: string;
  /** SQL that sets it to one parameter. */
  set: string;
  /** SQL of the rows that may hold a secret. An index should find them. */
  where: string;
  /** SQL that deletes a secret whose key is lost, before `where`. */
  drop: string;
}

/** A service's part of the database. */
export interface SchemaOptions {
  /** The service's PostgreSQL schema. No other service reads it. */
  schema: string;
  entities: (EntityClass<AnyEntity> | EntitySchema)[];
  migrations: MigrationObject[];
  /** Where it stores secrets. They are encrypted with the current key at the start. */
  sealed?: SealedColumn[];
}

/** A service's schema with migrated tables. */
export interface OpenSchema {
  /** Returns a new unit of work. */
  em(): EntityManager;
  close(): Promise<void>;
}

/** Dependencies of opening a schema. */
export interface OpenWith {
  logger: Service["logger"];
  /** Stops waiting for an unreachable server. */
  signal: AbortSignal;
}

/** Returns the settings that both databases share. */
export function ormOptions({ schema, entities, migrations }: SchemaOptions) {
  return {
    entities,
    schema,
    extensions: [Migrator],
    logger: () => {},
    migrations: { migrationsList: migrations, tableName: "migration", snapshot: false },
  };
}
