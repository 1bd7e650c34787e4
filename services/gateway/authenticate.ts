import { hashKey } from "../../shared/api-keys.ts";
import type { Caller } from "../../shared/contracts/actions.ts";
import { type Bus, call } from "../../shared/contracts/bus.ts";
import { ServiceError } from "../../shared/errors.ts";

/** How long an answer of the teams service is believed. A revocation is told at once; this bounds the case that the message got lost. */
const BELIEVED_MS = 10_000;
const REMEMBERED = 1_000;

/** Knows callers by their keys' hashes. */
export class Authenticator {
  readonly #known = new Map<string, { caller: Caller | null; untilMs: number }>();
  #revocations = 0;

  /** @throws ServiceError unauthorized */
  async caller(bus: Bus, authorization: string | undefined): Promise<Caller> {
    const key = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (key === undefined) {
      throw new ServiceError(
        "unauthorized",
        "Send the API key in the header Authorization: Bearer <API key>.",
      );
    }
    const caller = await this.#find(bus, hashKey(key));
    if (!caller) throw new ServiceError("unauthorized", "This API key is unknown or was revoked.");
    return caller;
  }

  /** Believes nothing about this key any more. */
  forget(keyId: string): void {
    this.#revocations += 1;
    for (const [hash, { caller }] of this.#known) if (caller?.actor.id === keyId) this.#known.delete(hash);
  }

  async #find(bus: Bus, keyHash: string): Promise<Caller | null> {
    const known = this.#known.get(keyHash);
    if (known && known.untilMs > Date.now()) return known.caller;
    const before = this.#revocations;
    const caller = await call(bus, "teams.authenticate", { keyHash });
    // Perhaps this key's, while its answer was on its way: not to be believed beyond this request.
    if (this.#revocations !== before) return caller;
    this.#known.delete(keyHash);
    this.#known.set(keyHash, { caller, untilMs: Date.now() + BELIEVED_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return caller;
  }
}
