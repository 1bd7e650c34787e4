import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { hashKey } from "../../../shared/api-keys.ts";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { Identity } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { ACCESS_ERRORS } from "../texts/errors.ts";
import { KnownCredentials } from "./known-credentials.ts";
import { sessionTokenOf } from "./session-cookie.ts";
import type { WrongCredentials } from "./wrong-credentials.ts";

/** How long an identity is cached. Changes are broadcast. This bounds the delay if a broadcast is lost. */
const CACHE_MS = 10_000;
const CACHE = { max: 1_000, ttl: CACHE_MS };

/** Limits of wrong credentials per address. */
export interface WrongLimits {
  /** Requests with wrong keys or sessions. */
  credentials: WrongCredentials;
  /** Sign-ins with wrong keys. */
  signIns: WrongCredentials;
}

/** The credential of a request. The secret itself is not passed on. */
export interface Credential {
  kind: "key" | "session";
  hash: string;
}

/** Returns the key from the header, or the session from the cookie. @throws ServiceError unauthorized */
export function credentialOf(req: IncomingMessage): Credential {
  const { authorization } = req.headers;
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (key !== undefined) return { kind: "key", hash: hashKey(key) };
  const token = authorization === undefined ? sessionTokenOf(req) : null;
  if (token !== null) return { kind: "session", hash: hashKey(token) };
  throw new ServiceError("unauthorized", ACCESS_ERRORS.missingKey);
}

/** Identifies callers by the hashes of their keys and sessions. */
export class Authenticator {
  readonly #known = new LRUCache<string, Identity>(CACHE);
  /** Separate, so that any number of wrong credentials evicts no valid one. */
  readonly #wrong = new LRUCache<string, true>(CACHE);
  readonly #limits: WrongLimits;
  readonly #existing = new KnownCredentials();
  #changes = 0;

  constructor(limits: WrongLimits) {
    this.#limits = limits;
  }

  /**
   * Returns the identity of a credential.
   * @param address the address that the request comes from
   * @throws ServiceError unauthorized; rate_limited after many wrong credentials from the address
   */
  async identify(bus: Bus, credential: Credential, address: string): Promise<Identity> {
    const identity = await this.#find(bus, credential, address);
    if (identity) return identity;
    throw await this.#limits.credentials.refusal(
      address,
      credential.kind === "key" ? ACCESS_ERRORS.wrongKey : ACCESS_ERRORS.sessionOver,
    );
  }

  /**
   * Checks the key of a sign-in. @throws ServiceError unauthorized for a wrong key; rate_limited after many from
   * the address
   */
  async checkSignIn(bus: Bus, keyHash: string, address: string): Promise<void> {
    if (!(await this.#existing.has(bus, keyHash))) throw await this.countWrongSignIn(address);
  }

  /** Counts a sign-in with a wrong key. @returns the error to throw */
  countWrongSignIn(address: string): Promise<ServiceError> {
    return this.#limits.signIns.refusal(address, ACCESS_ERRORS.wrongKey);
  }

  /** Removes cached identities of these keys, users, sessions and teams. */
  invalidate(ids: string[]): void {
    this.#changes += 1;
    // A wrong credential may be valid now.
    this.#wrong.clear();
    // A copy, because entries are deleted meanwhile.
    for (const [name, identity] of [...this.#known])
      if (idsOf(identity).some(id => ids.includes(id))) this.#known.delete(name);
  }

  /** Removes a credential from the cache. */
  invalidateCredential(credential: Credential): void {
    this.#known.delete(cacheKeyOf(credential));
    this.#wrong.delete(cacheKeyOf(credential));
  }

  async #find(bus: Bus, credential: Credential, address: string): Promise<Identity | null> {
    const name = cacheKeyOf(credential);
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#wrong.get(name)) return null;
    if (this.#limits.credentials.isFlooding(address) && !(await this.#existing.has(bus, credential.hash)))
      return null;
    const before = this.#changes;
    const identity = await authenticate(bus, credential);
    // The change may concern this identity, so it is valid for this request only.
    if (this.#changes === before) this.#believe(name, identity);
    return identity;
  }

  #believe(name: string, identity: Identity | null): void {
    this.#known.delete(name);
    this.#wrong.delete(name);
    if (identity) this.#known.set(name, identity);
    else this.#wrong.set(name, true);
  }
}

function cacheKeyOf({ kind, hash }: Credential): string {
  return `${kind} ${hash}`;
}

function authenticate(bus: Bus, { kind, hash }: Credential): Promise<Identity | null> {
  return kind === "key"
    ? call(bus, "teams.authenticate", { keyHash: hash })
    : call(bus, "teams.authenticateSession", { tokenHash: hash });
}

/** Returns the address that a request comes from, which may be a proxy's. */
export function addressOf(req: IncomingMessage): string {
  return req.socket.remoteAddress ?? "";
}

/** Returns the ids whose changes affect what an identity may do. */
export function idsOf({ actor, session, teams, closedTeams = [] }: Identity): string[] {
  return [actor.id, ...(session ? [session.id] : []), ...[...teams, ...closedTeams].map(team => team.id)];
}
