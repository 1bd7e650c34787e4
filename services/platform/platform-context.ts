import { type EntityManager, isDatabaseUnavailable } from "../../mixins/database.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { PlatformSettings } from "../../shared/environment/platform-variables.ts";
import type { PlatformApi } from "./api/platform-api.ts";
import type { PlatformToken } from "./api/platform-token.ts";
import type { ProjectSettings } from "./installs/project-settings.store.ts";
import { LOG_MESSAGES } from "./texts.ts";

/** What the use cases of this service work with. */
export interface PlatformContext {
  /** A new unit of work. */
  em(): EntityManager;
  bus: Bus;
  settings: PlatformSettings;
  /** This service's public address, without a slash at the end. */
  baseUrl: string;
  /** Null where the platform's users cannot install the integration. */
  platformApi: PlatformApi | null;
  /** The projects' variables at the platform. */
  variables: ProjectVariables;
  /** Whether any installation had a key of its own when the database was last asked. */
  keys: { hasOwn: boolean };
  /** Notes what went wrong. */
  warn(error: unknown, what: string): void;
}

/** A delivery's project, and with what its variables are read. */
export interface OfProject {
  configurationId: string;
  projectId: string | null;
  branch: string | null;
  token: PlatformToken | null;
}

export interface ProjectVariables {
  /** What a project's variables say; what can't be read is left out. */
  settingsOf(project: OfProject): Promise<ProjectSettings>;
  /** Whether any project has given a key of its own. */
  readonly hasKeys: boolean;
}

/** The store for the length of one delivery. */
export interface Store {
  /** What the store says; `absent` when it does not answer, and from then on without asking it. */
  ask<T>(question: (em: EntityManager) => Promise<T>, absent: T): Promise<T>;
}

/** Longer than any of the questions takes; shorter than the platform waits. */
const ANSWERED_WITHIN_MS = 4_000;

/** Asks a node's store for as long as it answers: one that is away must not keep a delivery for minutes. */
export function storeOf({ em, warn }: Pick<PlatformContext, "em" | "warn">): Store {
  let isAway = false;
  return {
    async ask(question, absent) {
      if (isAway) return absent;
      try {
        return await within(ANSWERED_WITHIN_MS, question(em()));
      } catch (error) {
        if (!(error instanceof NoAnswer) && !isDatabaseUnavailable(error)) throw error;
        isAway = true;
        warn(error, LOG_MESSAGES.databaseAway);
        return absent;
      }
    },
  };
}

class NoAnswer extends Error {}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(LOG_MESSAGES.databaseTimeout)), ms);
  });
  // Whatever comes after nobody waits any more is nobody's error.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
