import { LRUCache } from "lru-cache";
import { hashKey } from "../../../shared/api-keys.ts";
import type { AddressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { RepositoryHost, RepositoryName } from "./code-host.ts";
import type { HostError } from "./host-error.ts";
import { type ApiDialect, type HostAccess, TokenApi } from "./token-api.ts";

/** The number of connections whose request limits are remembered. */
const MAX_CLIENTS = 1_000;

/** A repository of an instance, and the connection whose access is used. */
export interface ConnectedRepository extends RepositoryName {
  connectionId: string;
  /** The repository's number. Unlike its name, it never changes. */
  hostId: string;
}

/** A webhook that this service creates at a repository. */
export interface NewHook {
  url: string;
  secret: string;
}

/** A kind of code host that teams connect with an access token. Every method throws HostError. */
export interface TokenHost {
  /** @param onAnswer called after each request with its error, or null after a success */
  repository(
    of: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): RepositoryHost;
  /** @returns the webhook's id */
  addHook(access: HostAccess, of: HookedRepository, made: NewHook): Promise<string>;
  changeHook(access: HostAccess, of: HookedRepository, id: string, made: NewHook): Promise<void>;
  deleteHook(access: HostAccess, of: HookedRepository, id: string): Promise<void>;
}

export type HookedRepository = Pick<ConnectedRepository, "hostId" | "owner" | "repo">;

/** The clients of a kind of code host. All requests with the same token share their limits. */
export class TokenClients {
  readonly #dialect: ApiDialect;
  readonly #policy: AddressPolicy;
  readonly #clients: LRUCache<string, TokenApi>;

  constructor(dialect: ApiDialect, policy: AddressPolicy, maxClients = MAX_CLIENTS) {
    this.#dialect = dialect;
    this.#policy = policy;
    this.#clients = new LRUCache({ max: maxClients, dispose: client => void client.stop() });
  }

  /** @param onAnswer called after each request with its error, or null after a success */
  of({ url, token }: HostAccess, onAnswer?: (error: HostError | null) => void): TokenApi {
    // A new token has limits of its own, and its key does not stay in memory as text.
    const key = hashKey(`${url} ${token}`);
    const known = this.#clients.get(key) ?? new TokenApi(this.#dialect, { url, token }, this.#policy);
    this.#clients.set(key, known);
    return onAnswer ? known.watchedBy(onAnswer) : known;
  }
}
