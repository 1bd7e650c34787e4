import { ApiError } from "../../../shared/api-client.ts";
import type { ProjectSettings } from "../installs/project-settings.store.ts";
import { teamOfKey } from "../installs/service-team.ts";
import type { OfProject, PlatformContext, ProjectVariables } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { type PlatformApi, PlatformApiError, type ProjectVariable } from "./platform-api.ts";
import type { PlatformToken } from "./platform-token.ts";
import { NO_SETTINGS, readVariables } from "./project-variables.ts";

/** A change at the platform takes effect this late. */
const BELIEVED_MS = 5 * 60_000;
/** How soon an API that failed is asked again. */
const RETRIED_AFTER_MS = 60_000;
const PROJECTS_AT_MOST = 1_000;

interface Entry {
  variables: Promise<ProjectVariable[]>;
  untilMs: number;
  hasFailed: boolean;
}

interface Dependencies {
  api: Pick<PlatformApi, "projectVariables"> | null;
  apiUrl: string | null;
  warn: PlatformContext["warn"];
}

/** Projects' variables at the platform, remembered for some minutes. What can't be read is as good as not set. */
export class VariableCache implements ProjectVariables {
  readonly #entries = new Map<string, Entry>();
  /** Which of these keys the Cloud API takes. */
  readonly #keys = new Map<string, { isTaken: Promise<boolean>; untilMs: number }>();
  readonly #warned = new Set<string>();
  readonly #of: Dependencies;
  /** Whether any project has given a key of its own. */
  hasKeys = false;

  constructor(of: Dependencies) {
    this.#of = of;
  }

  /** Returns what a project's variables say; what fails is noted once and left out. */
  async settingsOf({ configurationId, projectId, branch, token }: OfProject): Promise<ProjectSettings> {
    if (projectId === null || token === null || this.#of.api === null) return NO_SETTINGS;
    const place = `${configurationId} ${projectId}`;
    const { settings, invalid } = readVariables(await this.#variablesOf(place, token, projectId), branch);
    for (const name of invalid) this.#warnOnce(LOG_MESSAGES.invalidVariable(name, projectId));
    if (settings.apiKey === null) return settings;
    if (!(await this.#isTaken(settings.apiKey))) {
      this.#warnOnce(LOG_MESSAGES.wrongKey(projectId));
      return { ...settings, apiKey: null };
    }
    this.hasKeys = true;
    return settings;
  }

  #variablesOf(place: string, token: PlatformToken, projectId: string): Promise<ProjectVariable[]> {
    const before = this.#entries.get(place);
    if (before && before.untilMs > Date.now()) return before.variables;
    const entry: Entry = {
      variables: Promise.resolve([]),
      untilMs: Date.now() + BELIEVED_MS,
      hasFailed: false,
    };
    entry.variables = this.#ask(token, projectId).catch(error => {
      entry.hasFailed = true;
      entry.untilMs = Date.now() + RETRIED_AFTER_MS;
      if (!before?.hasFailed) this.#of.warn(null, LOG_MESSAGES.variablesNotRead(projectId, reasonOf(error)));
      // What was known last is likelier than nothing.
      return before?.variables ?? [];
    });
    keep(this.#entries, place, entry);
    return entry.variables;
  }

  async #ask(token: PlatformToken, projectId: string): Promise<ProjectVariable[]> {
    return (await this.#of.api?.projectVariables(token, projectId)) ?? [];
  }

  /** One that the Cloud API refuses would keep every preview from being captured. */
  #isTaken(apiKey: string): Promise<boolean> {
    const { apiUrl: baseUrl } = this.#of;
    const before = this.#keys.get(apiKey);
    if (before && before.untilMs > Date.now()) return before.isTaken;
    if (baseUrl === null) return Promise.resolve(true);
    const isTaken = teamOfKey({ baseUrl, apiKey }).then(
      teamId => teamId !== null,
      // While the API is away the run can't be submitted either, and not to another team.
      error => !(error instanceof ApiError && (error.status === 401 || error.status === 403)),
    );
    keep(this.#keys, apiKey, { isTaken, untilMs: Date.now() + RETRIED_AFTER_MS });
    return isTaken;
  }

  #warnOnce(text: string): void {
    if (this.#warned.has(text) || this.#warned.size >= PROJECTS_AT_MOST) return;
    this.#warned.add(text);
    this.#of.warn(null, text);
  }
}

function keep<T>(entries: Map<string, T>, key: string, entry: T): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > PROJECTS_AT_MOST && oldest !== undefined) entries.delete(oldest);
}

function reasonOf(error: unknown): string {
  return error instanceof PlatformApiError ? error.message : "the platform's answer can't be used";
}
