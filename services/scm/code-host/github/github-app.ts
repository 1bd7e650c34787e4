import { App } from "@octokit/app";
import { Octokit } from "@octokit/core";
import { LRUCache } from "lru-cache";
import type { Purpose, RepositoryName } from "../code-host.ts";
import { type Refusal, RequestLimits } from "../request-limits.ts";

/** A request that gets no response by then is retried, at once or later. */
const RESPONSE_TIMEOUT_MS = 8_000;
const TOKENS = "/access_tokens";
/** The number of cached clients. Each new client costs a token. */
const MAX_CLIENTS = 1_000;

/** The public code host allows about eighty writes per minute. */
const PUBLIC_WRITES: WriteLimits = { checks: 50, bootstrap: 30 };
/** A self-hosted server has no such limit, unless its owner sets one. Then its responses name the pauses. */
const OWN_WRITES: WriteLimits = { checks: null, bootstrap: null };
const PUBLIC_HOSTS = /(^|\.)(github\.com|ghe\.com)$/;

type WriteLimits = Record<Purpose, number | null>;

/** Returns how many writes per minute an installation may send to the API at this URL. Null is the public one. */
export function writeLimitsOf(apiUrl: string | null): WriteLimits {
  return apiUrl === null || PUBLIC_HOSTS.test(new URL(apiUrl).hostname) ? PUBLIC_WRITES : OWN_WRITES;
}

/** The app's identity at the code host. */
export interface AppIdentity {
  appId: string;
  /** PEM. */
  privateKey: string;
  /** The API of a self-hosted server; null for the public one. */
  apiUrl: string | null;
}

/** Requests the code host's API, by its names of routes and parameters. @throws HostError */
export type HostRequest = Octokit["request"];

/** The access of an installation to one repository. */
export interface RepositoryAccess {
  request: HostRequest;
  name: RepositoryName;
}

/** The code host's largest page size. */
export const PER_PAGE = 100;

/**
 * The app's connection to the code host. Only this file imports the client library, which keeps and renews the tokens
 * of installations.
 * @see HostError for what every request throws
 */
export class GitHubApp {
  readonly #app: App;
  readonly #clients: LRUCache<string, Promise<LimitedClient>>;
  readonly appId: string;
  /** Requests as the app itself. */
  readonly request: HostRequest;

  readonly #writesPerMinute: WriteLimits;

  constructor({ appId, privateKey, apiUrl }: AppIdentity, maxClients = MAX_CLIENTS) {
    this.appId = appId;
    this.#clients = new LRUCache({ max: maxClients, dispose: client => void stop(client) });
    this.#writesPerMinute = writeLimitsOf(apiUrl);
    this.#app = new App({ appId, privateKey, Octokit: clientOf(apiUrl), log: SILENT });
    this.request = limit(this.#app.octokit, this.#writesPerMinute.checks).request;
  }

  /** Returns the requests of one installation. */
  async installation(id: string, purpose: Purpose): Promise<HostRequest> {
    const name = `${purpose} ${id}`;
    let client = this.#clients.get(name);
    if (!client) {
      client = this.#make(id, purpose);
      this.#clients.set(name, client);
      client.catch(() => this.#clients.delete(name));
    }
    return (await client).request;
  }

  async #make(id: string, purpose: Purpose): Promise<LimitedClient> {
    return limit(await this.#app.getInstallationOctokit(Number(id)), this.#writesPerMinute[purpose]);
  }
}

/** The requests of a client, and their limits. */
interface LimitedClient {
  request: HostRequest;
  limits: RequestLimits;
}

async function stop(client: Promise<LimitedClient>): Promise<void> {
  const made = await client.catch(() => null);
  await made?.limits.stop();
}

/**
 * Returns unauthenticated requests to the code host.
 * @param apiUrl the API of a self-hosted server; null for the public one
 */
export function anonymousRequest(apiUrl: string | null): HostRequest {
  return limit(new (clientOf(apiUrl))(), writeLimitsOf(apiUrl).checks).request;
}

function clientOf(apiUrl: string | null): typeof Octokit {
  return Octokit.defaults({
    ...(apiUrl !== null && { baseUrl: apiUrl }),
    log: SILENT,
    userAgent: "vrs",
  });
}

function limit(octokit: Octokit, writesPerMinute: number | null): LimitedClient {
  const limits = new RequestLimits(writesPerMinute);
  octokit.hook.wrap("request", (request, options) => {
    const once = async () => {
      const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
      return request({ ...options, request: { ...options.request, signal } });
    };
    // The client requests a token within the request that needs it. A queued token request would wait for its own slot.
    return options.url.endsWith(TOKENS) ? once() : limits.run(options.method, once, refusalOf);
  });
  return { request: octokit.request, limits };
}

/** Returns the code host's error response. The client gives network errors the status 500, without a response. */
function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  if (!("status" in error))
    return error.name === "TimeoutError" ? { status: 0, message: error.message, headers: {} } : null;
  // biome-ignore lint/plugin: the client throws its own error class, and the package does not export it.
  const { status, response } = error as Error & {
    status: number;
    response?: { headers: Refusal["headers"] };
  };
  return { status: response ? status : 0, message: error.message, headers: response?.headers ?? {} };
}

const silent = () => {};
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
