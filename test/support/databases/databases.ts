import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TEST_SECRET_KEY } from "../drivers/api-access.ts";
import { NatsServer } from "../servers/nats-server.ts";
import { createDatabase } from "../servers/postgres-server.ts";
import { needs, SERVERS } from "../servers/server-programs.ts";
import { createMigratedDatabase, putMigratedDatabase } from "./migrated-database.ts";

/** A test's own database without rows. Unless it is empty, it has the tables of all services. */
export interface TestDatabase {
  /** Its environment for `loadConfig`, with a data directory. */
  env: Record<string, string> & { SERVICE_DATA_DIR: string };
  remove(): Promise<void>;
}

/** A kind of database that the services support. */
export interface DatabaseKind {
  name: string;
  /** Skips the tests of the calling describe block if this kind is unavailable. */
  needed(): void;
  /** Creates a database. It has the tables of all services, as after a first start, unless it must be empty. */
  make(options?: { empty: boolean }): Promise<TestDatabase>;
}

export const EMBEDDED: DatabaseKind = {
  name: "the embedded database",
  needed: () => {},
  make: ({ empty } = { empty: false }) =>
    inFolder(async folder => {
      if (!empty) await putMigratedDatabase(folder);
      return {};
    }),
};

const POSTGRESQL: DatabaseKind = {
  name: "PostgreSQL",
  needed: () => needs("database"),
  make: ({ empty } = { empty: false }) =>
    inFolder(async () => ({
      DATABASE_URL: await (empty ? createDatabase() : createMigratedDatabase()),
      SERVICE_SECRET_KEY: TEST_SECRET_KEY,
    })),
};

/** Both kinds of databases: `for (const database of DATABASES) describe(…)`. */
export const DATABASES: DatabaseKind[] = [EMBEDDED, POSTGRESQL];

const hasServer = process.env.TEST_DATABASE_URL !== undefined || SERVERS.postgresql.find() !== null;

/**
 * The database of tests that need only one: PostgreSQL, which takes less than half of the processor time. The embedded
 * one with `TEST_DATABASES=all`, and where PostgreSQL is missing.
 */
export const MAIN_DATABASE = hasServer && process.env.TEST_DATABASES !== "all" ? POSTGRESQL : EMBEDDED;

/** The database of tests whose service other tests run on both kinds. Both kinds with `TEST_DATABASES=all`. */
export const MAIN_DATABASES = process.env.TEST_DATABASES === "all" ? DATABASES : [MAIN_DATABASE];

/** The shared parts of a fleet: a PostgreSQL server, and NATS for its queues. */
export const FLEET: DatabaseKind = {
  name: "PostgreSQL and NATS",
  needed: () => needs("database", "nats-server"),
  async make() {
    const nats = await NatsServer.start();
    const { env, remove } = await inFolder(async folder => ({
      DATABASE_URL: await createMigratedDatabase(),
      SERVICE_SECRET_KEY: TEST_SECRET_KEY,
      NATS_URL: nats.url,
      IMAGE_STORE_URL: pathToFileURL(folder).href,
    }));
    return { env, remove: async () => void (await Promise.all([remove(), nats.close()])) };
  },
};

async function inFolder(more: (folder: string) => Promise<Record<string, string>>): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "vrs-database-"));
  return {
    env: { SERVICE_DATA_DIR: folder, ...(await more(folder)) },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
