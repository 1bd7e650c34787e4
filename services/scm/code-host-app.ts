import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";
import { type Refusal, RequestLimits } from "./request-limits.ts";

/** A request that is not answered by then is tried again, or later. */
const ANSWERED_WITHIN_MS = 8_000;
/** Installations whose clients are kept; another costs a token. */
const REMEMBERED = 1_000;

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

  constructor({ appId, privateKey, apiUrl }: AppIdentity) {
    this.appId = appId;
    const Client = Octokit.defaults({
      ...(apiUrl !== null && { baseUrl: apiUrl }),
      log: SILENT,
      userAgent: "vrs",
    });
    this.#app = new App({ appId, privateKey, Octokit: Client, log: SILENT });
    limit(this.#app.octokit);
  }

  /** Asks as the app itself. */
  get request(): HostRequest {
    return this.#app.octokit.request;
  }

  /** Asks as one installation. */
  installation(id: string): Promise<HostRequest> {
    const known = this.#clients.get(id);
    if (known) return known;
    const made = this.#app.getInstallationOctokit(Number(id)).then(octokit => limit(octokit).request);
    made.catch(() => this.#clients.delete(id));
    this.#clients.set(id, made);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > REMEMBERED && oldest !== undefined) this.#clients.delete(oldest);
    return made;
  }
}

function limit(octokit: Octokit): Octokit {
  const limits = new RequestLimits();
  octokit.hook.wrap("request", (request, options) => {
    const once = async () => {
      const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
      return request({ ...options, request: { ...options.request, signal } });
    };
    return limits.run(options.method, once, refusalOf);
  });
  return octokit;
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
