import type { Service, ServiceSchema } from "moleculer";
import { type Config, configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import { ServiceError } from "../shared/errors.ts";
import { isDatabaseUnavailable, isDeadlock } from "./database/database-failures.ts";
import type {
  EntityManager,
  OpenSchema,
  OpenWith,
  SchemaOptions,
  SealedColumn,
} from "./database/open-schema.ts";
import { openJson, sealedJson, sealJson, secretsOf } from "./database/sealed-json.ts";
import { DATABASE_MESSAGES } from "./texts.ts";

export {
  type EntityManager,
  isDatabaseUnavailable,
  isDeadlock,
  openJson,
  type SealedColumn,
  sealedJson,
  sealJson,
  secretsOf,
};

/** What the mixin adds to its service. */
export interface WithDatabase {
  /** Returns a new unit of work on the service's own schema. */
  em(): EntityManager;
}

interface Internal extends WithDatabase {
  broker: object;
  logger: Service["logger"];
  stopping: AbortController;
  opening: Promise<OpenSchema> | undefined;
  unavailableLoggedAtMs: number;
}

/** How often an unavailable database is logged, while every request fails. */
const UNAVAILABLE_LOG_INTERVAL_MS = 10_000;

/**
 * Opens the service's schema at the start, migrates its tables, and closes it at the end. An action that
 * fails because of an unavailable database fails as `unavailable`, so that its caller retries.
 */
export function database(options: SchemaOptions): Partial<ServiceSchema> {
  return mixin<Internal>({
    created() {
      this.stopping = new AbortController();
      this.unavailableLoggedAtMs = 0;
    },
    async started() {
      const { logger, stopping } = this;
      this.opening = openSchema(configOf(this.broker), options, { logger, signal: stopping.signal });
      const schema = await this.opening;
      this.em = () => schema.em();
    },
    async stopped() {
      this.stopping.abort();
      const schema = await this.opening?.catch(() => null);
      await schema?.close();
    },
    hooks: {
      error: {
        "*"(this: Internal, _context: unknown, error: Error): never {
          throw isDatabaseUnavailable(error) ? unavailable(this, error) : error;
        },
      },
    },
  });
}

/** Loads only the packages of the database in use, because they are slow to load. */
async function openSchema(config: Config, options: SchemaOptions, openWith: OpenWith): Promise<OpenSchema> {
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    const { openEmbeddedSchema } = await import("./database/embedded-schema.ts");
    return openEmbeddedSchema(config, options, message => openWith.logger.warn(message));
  }
  const { openPostgresSchema } = await import("./database/postgres-schema.ts");
  return openPostgresSchema({ ...config, databaseUrl }, options, openWith);
}

function unavailable(service: Internal, error: Error): ServiceError {
  if (Date.now() - service.unavailableLoggedAtMs > UNAVAILABLE_LOG_INTERVAL_MS) {
    service.unavailableLoggedAtMs = Date.now();
    service.logger.warn({ err: error }, DATABASE_MESSAGES.noResponse);
  }
  return new ServiceError("unavailable", DATABASE_MESSAGES.unavailable);
}

/** Returns the database's time, which is the same for all nodes. In a transaction it is the time of its start. */
export async function databaseTime(em: EntityManager): Promise<Date> {
  const rows: { ms: number | string }[] = await em.execute("select extract(epoch from now()) * 1000 as ms");
  return new Date(Number(rows[0]?.ms));
}
