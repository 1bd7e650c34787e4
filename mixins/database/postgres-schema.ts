import { setTimeout as delay } from "node:timers/promises";
import { MikroORM } from "@mikro-orm/postgresql";
import { endsWithin } from "../../shared/async.ts";
import type { Config } from "../../shared/config.ts";
import { databaseServers } from "../../shared/environment/database-servers.ts";
import { SecretBox } from "../../shared/secrets/secret-box.ts";
import { DATABASE_MESSAGES, SECRET_MESSAGES } from "../texts.ts";
import { isDatabaseUnavailable, isPoolerMistake, rejectionRemedy } from "./database-failures.ts";
import { type OpenSchema, type OpenWith, ormOptions, type SchemaOptions } from "./open-schema.ts";
import { migrationPool, servicePool } from "./postgres-pool.ts";
import { resealAll } from "./reseal.ts";
import { bindSecrets } from "./sealed-json.ts";

/** The advisory lock of all schema changes, of every service and node: "vrs". */
const MIGRATION_LOCK = 0x767273;

/** A fleet starts in any order. This is the first wait for a server that isn't there yet. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Connections that a hanging server doesn't close are left until the process ends. */
const CLOSE_TIMEOUT_MS = 5_000;

type PostgresConfig = Config & { databaseUrl: string };

/**
 * Opens a service's schema on a PostgreSQL server. Waits for a server that isn't there yet.
 * @throws Error with the remedy if the server rejects this node
 */
export async function openPostgresSchema(
  { databaseUrl, databaseConnections, secretKeys, dropSecrets }: PostgresConfig,
  options: SchemaOptions,
  openWith: OpenWith,
): Promise<OpenSchema> {
  await waitForServer(databaseUrl, openWith, () => migrate(databaseUrl, options));
  const orm = await MikroORM.init({
    ...ormOptions(options),
    ...NO_DATABASE_OF_ITS_OWN,
    driverOptions: servicePool(databaseUrl, options.schema, databaseConnections),
  });
  const em = () => orm.em.fork();
  const close = async () => void (await endsWithin(orm.close(true), CLOSE_TIMEOUT_MS));
  const secrets = new SecretBox(secretKeys);
  bindSecrets(orm.em.getPlatform(), secrets);
  try {
    const dropped = await resealAll(em, secrets, options.sealed ?? [], dropSecrets);
    if (dropped > 0) openWith.logger.warn(SECRET_MESSAGES.dropped(dropped, options.schema));
  } catch (error) {
    await close();
    throw error;
  }
  return { em, close };
}

/** The driver's options have the address. MikroORM must not create a database. */
const NO_DATABASE_OF_ITS_OWN = { dbName: "vrs", ensureDatabase: false };

/**
 * Creates the schema and migrates its tables, all or nothing. Nodes that start concurrently wait for each
 * other. The lock belongs to the transaction, so that a pooler can't leave it behind.
 */
async function migrate(url: string, { schema, migrations }: SchemaOptions): Promise<void> {
  const common = ormOptions({ schema, migrations, entities: [] });
  const orm = await MikroORM.init({
    ...common,
    ...NO_DATABASE_OF_ITS_OWN,
    discovery: { warnWhenNoEntities: false },
    // Creates the migration table inside the transaction. It would otherwise be created before the lock is
    // held.
    migrations: { ...common.migrations, includeWildcardSchema: true },
    driverOptions: migrationPool(url, schema),
  });
  try {
    // The migrator creates a database if it finds none of this name, and a pooler has its own names. The name
    // is read here, because a node that waits for the lock has a connection, and the lock's holder may get no
    // second one.
    const [database]: { name: string }[] = await orm.em.execute("select current_database() as name");
    if (database) orm.config.set("dbName", database.name);
    await orm.schema.ensureDatabase();
    await orm.em.transactional(async em => {
      // A pooler may lend the connection of a service, whose statements have limits.
      await em.execute("set local statement_timeout = 0");
      await em.execute("set local idle_in_transaction_session_timeout = 0");
      await em.execute("select pg_advisory_xact_lock(?)", [MIGRATION_LOCK]);
      const known = await em.execute("select from pg_namespace where nspname = ?", [schema]);
      // Without "if not exists", which needs the permission to create schemas even if the schema exists.
      if (known.length === 0) await em.execute(`create schema "${schema}"`);
      const transaction = em.getTransactionContext();
      if (!transaction) throw new Error("Migrations run in a transaction.");
      await orm.migrator.up({ transaction });
    });
  } finally {
    await endsWithin(orm.close(true), CLOSE_TIMEOUT_MS);
  }
}

async function waitForServer(
  url: string,
  { logger, signal }: OpenWith,
  attempt: () => Promise<void>,
): Promise<void> {
  const host = (databaseServers(url) ?? []).map(server => new URL(server).host).join(", ");
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || isPoolerMistake(error)) throw withRemedy(host, error);
      const why = error instanceof Error ? error.message : String(error);
      logger.warn(DATABASE_MESSAGES.unreachable(host, why, waitMs / 1000));
      await delay(waitMs, undefined, { signal }).catch(() => {
        throw new Error(DATABASE_MESSAGES.stopped);
      });
    }
  }
}

function withRemedy(host: string, error: unknown): unknown {
  const remedy = rejectionRemedy(error);
  if (remedy === null || !(error instanceof Error)) return error;
  return new Error(DATABASE_MESSAGES.rejected(host, error.message, remedy));
}
