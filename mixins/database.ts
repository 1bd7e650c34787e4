import type { Service, ServiceSchema } from "moleculer";
import { type Config, configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import { ServiceError } from "../shared/errors.ts";
import { databaseIsAway, isDeadlock } from "./database/database-faults.ts";
import { databaseTime } from "./database/database-time.ts";
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
  databaseIsAway,
  databaseTime,
  type EntityManager,
  isDeadlock,
  openJson,
  type SealedColumn,
  sealedJson,
  sealJson,
  secretsOf,
};

/** What the mixin gives its service. */
export interface WithDatabase {
  /** A new unit of work on the service's own schema. */
  em(): EntityManager;
}

interface Internal extends WithDatabase {
  broker: object;
  logger: Service["logger"];
  stopping: AbortController;
  opening: Promise<OpenSchema> | undefined;
  saidAway: number;
}

/** How often the log says that the database could not answer while one request after the other finds out. */
const SAY_AWAY_EVERY_MS = 10_000;

/**
 * Opens the service's schema at start, brings its tables up to date, and closes it at the end. What an action cannot
 * do because the database is away fails as `unavailable`, so that its caller tries again.
 */
export function database(options: SchemaOptions): Partial<ServiceSchema> {
  return mixin<Internal>({
    created() {
      this.stopping = new AbortController();
      this.saidAway = 0;
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
          throw databaseIsAway(error) ? unavailable(this, error) : error;
        },
      },
    },
  });
}

/** Each database brings packages that take a while to load: only the one that is used is. */
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
  if (Date.now() - service.saidAway > SAY_AWAY_EVERY_MS) {
    service.saidAway = Date.now();
    service.logger.warn({ err: error }, DATABASE_MESSAGES.noResponse);
  }
  return new ServiceError("unavailable", DATABASE_MESSAGES.unavailable);
}
