import type { CodeHostAppView } from "../../../../shared/contracts/code-host/code-host.ts";
import { APP_ERRORS } from "../../texts/connections.ts";
import { LOG_MESSAGES } from "../../texts/log.ts";
import { HostError } from "../host-error.ts";
import { missingOf } from "./app-manifest.ts";
import type { GitHubApp } from "./github-app.ts";

/** The lifetime of a response. Without one, each check sends a new request. */
const RECHECK_INTERVAL_MS = 15 * 60_000;
/** Operators who change the app's settings reload this state. */
const VIEWED_RECHECK_INTERVAL_MS = 10_000;

type AppState = Omit<CodeHostAppView, "webhookUrl">;

const NOTHING = { permissions: [], events: [] };
export const NO_APP: AppState = {
  state: "not_configured",
  app: null,
  missing: NOTHING,
  error: null,
  checkedAt: null,
};

/** Checks whether the code host gives the app what it needs. */
export class AppCheck {
  readonly #app: GitHubApp;
  readonly #warn: (error: unknown, what: string) => void;
  #standing: AppState = { ...NO_APP, state: "unchecked" };
  #askedAtMs = 0;
  #warned: string | null = null;
  #underWay: Promise<void> | null = null;

  constructor(app: GitHubApp, warn: (error: unknown, what: string) => void) {
    this.#app = app;
    this.#warn = warn;
  }

  /** Returns the latest known state of the app, and starts a new check in the background. */
  seen(): AppState {
    if (Date.now() - this.#askedAtMs > VIEWED_RECHECK_INTERVAL_MS)
      void this.#checkOnce().catch(error => this.#warn(error, FAILED));
    return this.#standing;
  }

  /** Asks the code host, unless it responded recently. */
  async check(): Promise<void> {
    const isKnown = this.#standing.state === "checked" && Date.now() - this.#askedAtMs < RECHECK_INTERVAL_MS;
    if (!isKnown) await this.#checkOnce();
  }

  #checkOnce(): Promise<void> {
    this.#underWay ??= this.#ask().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #ask(): Promise<void> {
    try {
      this.#standing = await readAppState(this.#app);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#standing = { ...this.#standing, ...failureOf(error) };
    } finally {
      this.#askedAtMs = Date.now();
    }
    const words = describeAppState(this.#standing);
    if (words !== null && words !== this.#warned) this.#warn(null, words);
    this.#warned = words;
  }
}

export const FAILED = LOG_MESSAGES.permissionsNotChecked;

async function readAppState(app: GitHubApp): Promise<AppState> {
  const { data } = await app.request("GET /app");
  if (!data) throw new HostError(0, APP_ERRORS.empty);
  const { name, html_url: url, permissions, events } = data;
  const missing = missingOf({ permissions: { ...permissions }, events });
  return { state: "checked", app: { name, url }, missing, error: null, checkedAt: new Date().toISOString() };
}

function failureOf(error: HostError): Pick<AppState, "state" | "error"> {
  if (error.passing) return { state: "unreachable", error: APP_ERRORS.away(error.message) };
  const why = APP_ERRORS.fixVariables;
  return { state: "refused", error: APP_ERRORS.rejected(why) };
}

/** Returns a warning for operators, or null if nothing is missing. */
function describeAppState({ state, app, missing, error }: AppState): string | null {
  // Without the code host's own text, which changes and would repeat the warning.
  if (state === "unreachable") return LOG_MESSAGES.permissionsLater;
  if (error !== null) return error;
  const named = (of: { label: string; isOptional: boolean }) =>
    of.isOptional ? `${of.label} (optional)` : of.label;
  const lacks = [
    ...missing.permissions.map(each => LOG_MESSAGES.permission(named(each), each.access)),
    ...missing.events.map(each => LOG_MESSAGES.event(named(each))),
  ];
  if (lacks.length === 0) return null;
  return LOG_MESSAGES.lacks(lacks.join(", "), app?.url);
}
