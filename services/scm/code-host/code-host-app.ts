import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";
import { type Refusal, RequestLimits } from "./request-limits.ts";

/** A request that is not answered by then is tried again, or later. */
const ANSWERED_WITHIN_MS = 8_000;
const TOKENS = "/access_tokens";
/** Installations whose clients are kept; another costs a token. */
const REMEMBERED = 1_000;

/** What an installation is asked for; what can wait must not stand in the way of what cannot. */
export type Purpose = "checks" | "bootstrap";

/** The code host takes some eighty requests a minute that make something. */
const WRITES_PER_MINUTE: Record<Purpose, number> = { checks: 50, bootstrap: 30 };

/** The app as the code host knows it. */
export interface AppIdentity {
  appId: string;
  /** PEM. */
  privateKey: string;
  /** Of a server of one's own; null for the public one. */
  apiUrl: string | null;
}

/** Asks the code host's API, by its own names for routes and parameters. @throws HostError */
export type HostRequest = Octokit["request"];

/**
 * The app's identity at the code host. The only file of this service that knows its client, which keeps the tokens of
 * installations and renews them.
 * @see HostError for what every request throws
 */
export class CodeHostApp {
  readonly #app: App;
  readonly #clients = new Map<string, Promise<HostRequest>>();
  readonly appId: string;
  /** Asks as the app itself. */
  readonly request: HostRequest;

  readonly #writesPerMinute: Record<Purpose, number>;

  constructor({ appId, privateKey, apiUrl }: AppIdentity, writesPerMinute = WRITES_PER_MINUTE) {
    this.appId = appId;
    this.#writesPerMinute = writesPerMinute;
    this.#app = new App({ appId, privateKey, Octokit: clientOf(apiUrl), log: SILENT });
    this.request = limit(this.#app.octokit, writesPerMinute.checks);
  }

  /** Asks as one installation. */
  installation(id: string, purpose: Purpose): Promise<HostRequest> {
    const name = `${purpose} ${id}`;
    const known = this.#clients.get(name);
    if (known) return known;
    const made = this.#app
      .getInstallationOctokit(Number(id))
      .then(octokit => limit(octokit, this.#writesPerMinute[purpose]));
    made.catch(() => this.#clients.delete(name));
    this.#clients.set(name, made);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > REMEMBERED && oldest !== undefined) this.#clients.delete(oldest);
    return made;
  }
}

/** Asks the code host without an identity. @param apiUrl of a server of one's own; null for the public one */
export function askAnonymously(apiUrl: string | null): HostRequest {
  return limit(new (clientOf(apiUrl))(), WRITES_PER_MINUTE.checks);
}

function clientOf(apiUrl: string | null): typeof Octokit {
  return Octokit.defaults({
    ...(apiUrl !== null && { baseUrl: apiUrl }),
    log: SILENT,
    userAgent: "vrs",
  });
}

function limit(octokit: Octokit, writesPerMinute: number): HostRequest {
  const limits = new RequestLimits(writesPerMinute);
  octokit.hook.wrap("request", (request, options) => {
    const once = async () => {
      const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
      return request({ ...options, request: { ...options.request, signal } });
    };
    // The client asks for a token in the middle of the request that needs it: waiting for a turn there would wait for itself.
    return options.url.endsWith(TOKENS) ? once() : limits.run(options.method, once, refusalOf);
  });
  return octokit.request;
}

/** The client gives every fault of the network the status 500, and no answer beside it. */
function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  if (!("status" in error))
    return error.name === "TimeoutError" ? { status: 0, message: error.message, headers: {} } : null;
  // biome-ignore lint/plugin: the client throws its own kind of error, of a package that it does not export.
  const { status, response } = error as Error & {
    status: number;
    response?: { headers: Refusal["headers"] };
  };
  return { status: response ? status : 0, message: error.message, headers: response?.headers ?? {} };
}

const silent = () => {};
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
