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

/** What a token may do, and the repository that it may do it in. */
export interface ReadAccess extends RepositoryName {
  hostId: string;
  /** ISO 8601 date; null for a token that never expires, or whose host doesn't say. */
  tokenExpiresAt: string | null;
}

/** A token that replaces another one. */
export interface NewToken {
  token: string;
  /** ISO 8601 date; null for a token that never expires. */
  expiresAt: string | null;
}

/** A kind of code host that teams connect with an access token. Every method throws HostError. */
export interface TokenHost {
  /** The instance of connections without an address. Null if each connection names its own. */
  readonly defaultUrl: string | null;
  /** Whether other instances exist, which teams may name. */
  readonly hasInstances: boolean;
  /** Replaces a token, and revokes the old one. Null if the code host has no such request. @param expiresAt ISO 8601 date */
  readonly rotateToken: ((access: HostAccess, expiresAt: string) => Promise<NewToken>) | null;
  /**
   * Reads a token and its repository, and refuses what would fail later.
   * @param repository its path, or what `idOf` returned
   * @throws ServiceError invalid_request with what to fix
   */
  readAccess(access: HostAccess, repository: string): Promise<ReadAccess>;
  /** Returns what finds a repository again after it was renamed. */
  idOf(of: HookedRepository): string;
  /** @param onAnswer called after each request with its error, or null after a success */
  repository(
    of: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): RepositoryHost;
  readonly hooks: RepositoryHooks;
}

/** The webhooks of repositories. */
interface RepositoryHooks {
  /** @returns the webhook's id */
  add(access: HostAccess, of: HookedRepository, made: NewHook): Promise<string>;
  change(access: HostAccess, of: HookedRepository, hookId: string, made: NewHook): Promise<void>;
  delete(access: HostAccess, of: HookedRepository, hookId: string): Promise<void>;
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
