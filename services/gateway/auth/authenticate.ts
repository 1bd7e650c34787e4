import type { IncomingMessage } from "node:http";
import { hashKey } from "../../../shared/api-keys.ts";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { Identity } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { ACCESS_ERRORS } from "../texts.ts";
import { KnownCredentials } from "./known-credentials.ts";
import { sessionTokenOf } from "./session-cookie.ts";
import type { WrongCredentials } from "./wrong-credentials.ts";

/** How long an answer of the teams service is believed. A change is told at once; this bounds the case that the message got lost. */
const BELIEVED_MS = 10_000;
const REMEMBERED = 1_000;
/** How much that opens nothing an address may send. */
export interface WrongLimits {
  /** Requests with wrong keys or sessions. */
  credentials: WrongCredentials;
  /** Sign-ins with wrong keys. */
  signIns: WrongCredentials;
}

/** What a request shows of who sends it; the secret itself goes no further. */
export interface Credential {
  kind: "key" | "session";
  hash: string;
}

/** The header's key, else the cookie's session. @throws ServiceError unauthorized */
export function credentialOf(req: IncomingMessage): Credential {
  const { authorization } = req.headers;
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (key !== undefined) return { kind: "key", hash: hashKey(key) };
  const token = authorization === undefined ? sessionTokenOf(req) : null;
  if (token !== null) return { kind: "session", hash: hashKey(token) };
  throw new ServiceError("unauthorized", ACCESS_ERRORS.missingKey);
}

/** Knows callers by the hashes of their keys and sessions. */
export class Authenticator {
  readonly #known = new Map<string, Believed<Identity>>();
  /** Apart from those that open something: however many come, none of these is forgotten for them. */
  readonly #wrong = new Map<string, Believed<null>>();
  readonly #limits: WrongLimits;
  readonly #existing = new KnownCredentials();
  #changes = 0;

  constructor(limits: WrongLimits) {
    this.#limits = limits;
  }

  /**
   * @param address where the request comes from
   * @throws ServiceError unauthorized; rate_limited where many wrong credentials came from there
   */
  async identify(bus: Bus, credential: Credential, address: string): Promise<Identity> {
    const identity = await this.#find(bus, credential, address);
    if (identity) return identity;
    throw await this.#limits.credentials.refusal(
      address,
      credential.kind === "key" ? ACCESS_ERRORS.wrongKey : ACCESS_ERRORS.sessionOver,
    );
  }

  /** @throws ServiceError unauthorized for a key that opens nothing; rate_limited where many such came from the address */
  async checkSignIn(bus: Bus, keyHash: string, address: string): Promise<void> {
    if (!(await this.#existing.has(bus, keyHash))) throw await this.wrongSignIn(address);
  }

  /** Counts a sign-in with a wrong key. @returns the answer to it */
  wrongSignIn(address: string): Promise<ServiceError> {
    return this.#limits.signIns.refusal(address, ACCESS_ERRORS.wrongKey);
  }

  /** Believes nothing any more of keys, people, sessions and teams of these ids. */
  forget(ids: string[]): void {
    this.#changes += 1;
    // What was wrong may be right now.
    this.#wrong.clear();
    for (const [name, { identity }] of this.#known)
      if (idsOf(identity).some(id => ids.includes(id))) this.#known.delete(name);
  }

  /** Asks anew the next time. */
  forgetCredential(credential: Credential): void {
    this.#known.delete(nameOf(credential));
    this.#wrong.delete(nameOf(credential));
  }

  async #find(bus: Bus, credential: Credential, address: string): Promise<Identity | null> {
    const name = nameOf(credential);
    const known = this.#known.get(name) ?? this.#wrong.get(name);
    if (known && known.untilMs > Date.now()) return known.identity;
    if (this.#limits.credentials.isFlooding(address) && !(await this.#existing.has(bus, credential.hash)))
      return null;
    const before = this.#changes;
    const identity = await ask(bus, credential);
    // Perhaps this one's, while its answer was on its way: not to be believed beyond this request.
    if (this.#changes === before) this.#believe(name, identity);
    return identity;
  }

  #believe(name: string, identity: Identity | null): void {
    const untilMs = Date.now() + BELIEVED_MS;
    this.#known.delete(name);
    this.#wrong.delete(name);
    if (identity) remember(this.#known, name, { identity, untilMs });
    else remember(this.#wrong, name, { identity, untilMs });
  }
}

interface Believed<T> {
  identity: T;
  untilMs: number;
}

function remember<T>(believed: Map<string, T>, name: string, value: T): void {
  believed.set(name, value);
  const [oldest] = believed.keys();
  if (believed.size > REMEMBERED && oldest !== undefined) believed.delete(oldest);
}

function nameOf({ kind, hash }: Credential): string {
  return `${kind} ${hash}`;
}

function ask(bus: Bus, { kind, hash }: Credential): Promise<Identity | null> {
  return kind === "key"
    ? call(bus, "teams.authenticate", { keyHash: hash })
    : call(bus, "teams.authenticateSession", { tokenHash: hash });
}

/** Where a request comes from: a proxy before the gateway, where there is one. */
export function addressOf(req: IncomingMessage): string {
  return req.socket.remoteAddress ?? "";
}

/** Everything whose change changes what an identity may do. */
export function idsOf({ actor, session, teams }: Identity): string[] {
  return [actor.id, ...(session ? [session.id] : []), ...teams.map(team => team.id)];
}
