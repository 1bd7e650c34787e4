import { ServiceError } from "../../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../../texts/errors.ts";

/** The bytes of one upload. */
export interface Held {
  readonly teamId: string;
  bytes: number;
}

/** Bytes in memory of uploads that are being received, or that wait to be decoded or stored. */
export class HeldBytes {
  readonly #maxBytes: number;
  readonly #maxTeamBytes: number;
  readonly #ofTeams = new Map<string, number>();
  #bytes = 0;

  /** @param maxTeamBytes of one team, so that its slow uploads can't keep those of the others out */
  constructor(maxBytes: number, maxTeamBytes: number) {
    this.#maxBytes = maxBytes;
    this.#maxTeamBytes = maxTeamBytes;
  }

  /** Adds received bytes. @throws ServiceError unavailable if there are too many */
  add(held: Held, bytes: number): void {
    const ofTeam = (this.#ofTeams.get(held.teamId) ?? 0) + bytes;
    if (ofTeam > this.#maxTeamBytes)
      throw new ServiceError("unavailable", LIMIT_ERRORS.teamUploads, { retryAfterSeconds: 2 });
    if (this.#bytes + bytes > this.#maxBytes)
      throw new ServiceError("unavailable", LIMIT_ERRORS.uploads, { retryAfterSeconds: 2 });
    this.#ofTeams.set(held.teamId, ofTeam);
    this.#bytes += bytes;
    held.bytes += bytes;
  }

  /** Frees the bytes of an upload that has ended. */
  free(held: Held): void {
    const ofTeam = (this.#ofTeams.get(held.teamId) ?? 0) - held.bytes;
    if (ofTeam > 0) this.#ofTeams.set(held.teamId, ofTeam);
    else this.#ofTeams.delete(held.teamId);
    this.#bytes -= held.bytes;
    held.bytes = 0;
  }
}
