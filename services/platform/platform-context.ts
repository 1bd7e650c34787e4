import { type EntityManager, isDatabaseUnavailable } from "../../mixins/database.ts";
import { withTimeout } from "../../shared/async.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { PlatformSettings } from "../../shared/environment/platform-variables.ts";
import type { PlatformApi, PlatformToken } from "./api/platform-api.ts";
import type { ProjectSettings } from "./installs/project-settings.store.ts";
import { LOG_MESSAGES } from "./texts.ts";

/** The dependencies of this service's use cases. */
export interface PlatformContext {
  /** Returns a new unit of work. */
  em(): EntityManager;
  bus: Bus;
  settings: PlatformSettings;
  /** This service's public URL, without a trailing slash. */
  baseUrl: string;
  /** Null if the platform's users cannot install the integration. */
  platformApi: PlatformApi | null;
  /** The projects' variables at the platform. */
  variables: ProjectVariables;
  /** Whether any installation had its own key at the last query of the database. */
  keys: { hasOwn: boolean };
  /** Logs an error. */
  warn(error: unknown, what: string): void;
}

/** A delivery's project, and the token that reads its variables. */
export interface ProjectSource {
  configurationId: string;
  projectId: string | null;
  branch: string | null;
  token: PlatformToken | null;
}

/** What a project's variables say. */
export interface VariableSettings {
  settings: ProjectSettings;
  /** Whether the project has a key of its own, also for other branches only. */
  hasKey: boolean;
}

export interface ProjectVariables {
  /** Returns the settings in a project's variables. Null if they can't be read and weren't read before. */
  settingsOf(project: ProjectSource): Promise<VariableSettings | null>;
}

/** The database for the duration of one delivery. */
export interface Store {
  /** Queries the database. Returns the fallback if it does not respond, and from then on without a query. */
  query<T>(read: (em: EntityManager) => Promise<T>, fallback: T): Promise<T>;
}

/** Longer than any query takes, and shorter than the platform waits. */
const QUERY_TIMEOUT_MS = 4_000;

/**
 * Returns a node's database for one delivery. A database that does not respond must not delay the delivery for minutes.
 */
export function storeOf({ em, warn }: Pick<PlatformContext, "em" | "warn">): Store {
  let isDown = false;
  const late = () => new QueryTimeout(LOG_MESSAGES.databaseTimeout);
  return {
    async query(read, fallback) {
      if (isDown) return fallback;
      try {
        return await withTimeout(read(em()), QUERY_TIMEOUT_MS, late);
      } catch (error) {
        if (!(error instanceof QueryTimeout) && !isDatabaseUnavailable(error)) throw error;
        isDown = true;
        warn(error, LOG_MESSAGES.databaseAway);
        return fallback;
      }
    },
  };
}

class QueryTimeout extends Error {}
