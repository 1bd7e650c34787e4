import { LRUCache } from "lru-cache";
import { ApiError } from "../../../shared/api/api-exchanges.ts";
import { teamOfKey } from "../installs/service-team.ts";
import type {
  PlatformContext,
  ProjectSource,
  ProjectVariables,
  VariableSettings,
} from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import {
  type PlatformApi,
  PlatformApiError,
  type PlatformToken,
  type ProjectVariable,
} from "./platform-api.ts";
import { readVariables } from "./project-variables.ts";

/** The delay before a change at the platform takes effect. */
const CACHE_MS = 5 * 60_000;
/** The interval of retries after an API error. */
const RETRY_INTERVAL_MS = 60_000;
const MAX_PROJECTS = 1_000;

interface Entry {
  /** Null if they can't be read and weren't read before. */
  variables: Promise<ProjectVariable[] | null>;
  untilMs: number;
  hasFailed: boolean;
}

interface Dependencies {
  api: Pick<PlatformApi, "projectVariables"> | null;
  apiUrl: string | null;
  warn: PlatformContext["warn"];
}

/** Caches projects' variables at the platform. */
export class VariableCache implements ProjectVariables {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_PROJECTS });
  /** Whether the Cloud API accepts each key. */
  readonly #keys = new LRUCache<string, Promise<boolean>>({ max: MAX_PROJECTS, ttl: RETRY_INTERVAL_MS });
  readonly #warned = new Set<string>();
  readonly #of: Dependencies;

  constructor(of: Dependencies) {
    this.#of = of;
  }

  /** Returns the settings in a project's variables. Null if they can't be read. Errors are logged once and left out. */
  async settingsOf({
    configurationId,
    projectId,
    branch,
    token,
  }: ProjectSource): Promise<VariableSettings | null> {
    if (projectId === null || token === null || this.#of.api === null) return null;
    const variables = await this.#variablesOf(`${configurationId} ${projectId}`, token, projectId);
    if (variables === null) return null;
    const { settings, invalid, hasKey } = readVariables(variables, branch);
    for (const name of invalid) this.#warnOnce(LOG_MESSAGES.invalidVariable(name, projectId));
    if (settings.apiKey === null || (await this.#isAccepted(settings.apiKey))) return { settings, hasKey };
    this.#warnOnce(LOG_MESSAGES.wrongKey(projectId));
    return { settings: { ...settings, apiKey: null }, hasKey };
  }

  #variablesOf(cacheKey: string, token: PlatformToken, projectId: string): Entry["variables"] {
    const before = this.#entries.get(cacheKey);
    if (before && before.untilMs > Date.now()) return before.variables;
    const entry: Entry = {
      variables: Promise.resolve([]),
      untilMs: Date.now() + CACHE_MS,
      hasFailed: false,
    };
    entry.variables = this.#ask(token, projectId).catch(error => {
      entry.hasFailed = true;
      entry.untilMs = Date.now() + RETRY_INTERVAL_MS;
      if (!before?.hasFailed) this.#of.warn(null, LOG_MESSAGES.variablesNotRead(projectId, reasonOf(error)));
      // The last known values are better than none.
      return before?.variables ?? null;
    });
    this.#entries.set(cacheKey, entry);
    return entry.variables;
  }

  async #ask(token: PlatformToken, projectId: string): Promise<ProjectVariable[]> {
    return (await this.#of.api?.projectVariables(token, projectId)) ?? [];
  }

  /** Checks a key first, because a refused one would prevent every capture. */
  #isAccepted(apiKey: string): Promise<boolean> {
    const { apiUrl: baseUrl } = this.#of;
    const before = this.#keys.get(apiKey);
    if (before) return before;
    if (baseUrl === null) return Promise.resolve(true);
    const isAccepted = teamOfKey({ baseUrl, apiKey }).then(
      teamId => teamId !== null,
      // While the API does not respond, the run fails anyway, and must not go to another team.
      error => !(error instanceof ApiError && (error.status === 401 || error.status === 403)),
    );
    this.#keys.set(apiKey, isAccepted);
    return isAccepted;
  }

  #warnOnce(text: string): void {
    if (this.#warned.has(text) || this.#warned.size >= MAX_PROJECTS) return;
    this.#warned.add(text);
    this.#of.warn(null, text);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof PlatformApiError ? error.message : "the platform's answer can't be used";
}
