import type { IncomingMessage } from "node:http";
import { hashKey } from "../../shared/api-keys.ts";
import { type Bus, call } from "../../shared/contracts/bus.ts";
import type { Identity } from "../../shared/contracts/caller.ts";
import { ServiceError } from "../../shared/errors.ts";
import { sessionTokenOf } from "./session-cookie.ts";

/** How long an answer of the teams service is believed. A change is told at once; this bounds the case that the message got lost. */
const BELIEVED_MS = 10_000;
const REMEMBERED = 1_000;

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
  throw new ServiceError(
    "unauthorized",
    "Send the API key in the header Authorization: Bearer <API key>, or sign in.",
  );
}

/** Knows callers by the hashes of their keys and sessions. */
export class Authenticator {
  readonly #known = new Map<string, { identity: Identity | null; untilMs: number }>();
  #changes = 0;

  /** @throws ServiceError unauthorized */
  async identify(bus: Bus, credential: Credential): Promise<Identity> {
    const identity = await this.#find(bus, credential);
    if (identity) return identity;
    const message =
      credential.kind === "key"
        ? "This API key is unknown or was revoked."
        : "This session is over. Sign in again.";
    throw new ServiceError("unauthorized", message);
  }

  /** Believes nothing any more of keys, people, sessions and teams of these ids. */
  forget(ids: string[]): void {
    this.#changes += 1;
    for (const [name, { identity }] of this.#known)
      if (identity && idsOf(identity).some(id => ids.includes(id))) this.#known.delete(name);
  }

  /** Asks anew the next time. */
  forgetCredential({ kind, hash }: Credential): void {
    this.#known.delete(`${kind} ${hash}`);
  }

  async #find(bus: Bus, { kind, hash }: Credential): Promise<Identity | null> {
    const name = `${kind} ${hash}`;
    const known = this.#known.get(name);
    if (known && known.untilMs > Date.now()) return known.identity;
    const before = this.#changes;
    const identity =
      kind === "key"
        ? await call(bus, "teams.authenticate", { keyHash: hash })
        : await call(bus, "teams.authenticateSession", { tokenHash: hash });
    // Perhaps this one's, while its answer was on its way: not to be believed beyond this request.
    if (this.#changes !== before) return identity;
    this.#known.delete(name);
    this.#known.set(name, { identity, untilMs: Date.now() + BELIEVED_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return identity;
  }
}

/** Everything whose change changes what an identity may do. */
export function idsOf({ actor, session, teams }: Identity): string[] {
  return [actor.id, ...(session ? [session.id] : []), ...teams.map(team => team.id)];
}
