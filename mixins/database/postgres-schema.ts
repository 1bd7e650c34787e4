import { setTimeout as delay } from "node:timers/promises";
import { MikroORM } from "@mikro-orm/postgresql";
import { waitAtMost } from "../../shared/async.ts";
import type { Config } from "../../shared/config.ts";
import { SecretBox } from "../../shared/secrets/secret-box.ts";
import { DATABASE_MESSAGES, SECRET_MESSAGES } from "../texts.ts";
import { isDatabaseUnavailable, rejectionRemedy } from "./database-failures.ts";
import { type OpenSchema, type OpenWith, ormOptions, type SchemaOptions } from "./open-schema.ts";
import { migrationPool, servicePool } from "./postgres-pool.ts";
import { resealAll } from "./reseal.ts";
import { bindSecrets } from "./sealed-json.ts";

/** Everything that changes a schema, of whichever service and node, takes turns under this advisory lock: "vrs". */
const MIGRATION_LOCK = 0x767273;

/** A fleet starts in any order: how long to wait before the next look for a server that is not there yet. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Connections that a server which no longer answers does not give up are left to the end of the process. */
const CLOSE_TIMEOUT_MS = 5_000;

type PostgresConfig = Config & { databaseUrl: string };

/**
 * Opens a service's schema on a PostgreSQL server; waits for the server where it is not there yet.
 * @throws Error that says what to do, when the server refuses this node
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
  const close = () => waitAtMost(CLOSE_TIMEOUT_MS, orm.close(true));
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

/** The driver's options say where to connect; MikroORM is to make no database where it finds none. */
const NO_DATABASE_OF_ITS_OWN = { dbName: "vrs", ensureDatabase: false };

/**
 * Makes the schema and brings its tables up to date, all or nothing. Nodes that start at once take turns: the lock is
 * the transaction's, so that a pooler between here and the server cannot leave it behind.
 */
async function migrate(url: string, { schema, migrations }: SchemaOptions): Promise<void> {
  const common = ormOptions({ schema, migrations, entities: [] });
  const orm = await MikroORM.init({
    ...common,
    ...NO_DATABASE_OF_ITS_OWN,
    discovery: { warnWhenNoEntities: false },
    // Makes the table of migrations within the transaction, where else it would be made before the lock is held.
    migrations: { ...common.migrations, includeWildcardSchema: true },
    driverOptions: migrationPool(url, schema),
  });
  try {
    // The migrator makes a database where it finds none of this name, and a pooler's names are its own. It looks
    // here and not below: who waits for the lock has a connection, and its holder may get no second one.
    const [database]: { name: string }[] = await orm.em.execute("select current_database() as name");
    if (database) orm.config.set("dbName", database.name);
    await orm.schema.ensureDatabase();
    await orm.em.transactional(async em => {
      await em.execute("select pg_advisory_xact_lock(?)", [MIGRATION_LOCK]);
      const known = await em.execute("select from pg_namespace where nspname = ?", [schema]);
      // Not "if not exists": that asks for the right to create schemas even where there is nothing to create.
      if (known.length === 0) await em.execute(`create schema "${schema}"`);
      const transaction = em.getTransactionContext();
      if (!transaction) throw new Error("Migrations run in a transaction.");
      await orm.migrator.up({ transaction });
    });
  } finally {
    await waitAtMost(CLOSE_TIMEOUT_MS, orm.close(true));
  }
}

async function waitForServer(
  url: string,
  { logger, signal }: OpenWith,
  attempt: () => Promise<void>,
): Promise<void> {
  const { host } = new URL(url);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw withRemedy(host, error);
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
