import { ServiceError } from "../../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../../texts/errors.ts";

/** The bytes of one body. */
export interface Held {
  readonly teamId: string;
  bytes: number;
}

/** Bytes in memory of bodies that are being received, or that wait to be decoded, stored or handled. */
export class HeldBytes {
  readonly #maxBytes: number;
  readonly #maxTeamBytes: number;
  readonly #busy: string;
  readonly #ofTeams = new Map<string, number>();
  #bytes = 0;

  /**
   * @param limits.maxTeamBytes of one team, so that its slow uploads can't keep those of the others out
   * @param limits.busy message of the error if there are too many bytes
   */
  constructor(
    maxBytes: number,
    {
      maxTeamBytes = Number.POSITIVE_INFINITY,
      busy = LIMIT_ERRORS.uploads,
    }: { maxTeamBytes?: number; busy?: string },
  ) {
    this.#maxBytes = maxBytes;
    this.#maxTeamBytes = maxTeamBytes;
    this.#busy = busy;
  }

  /** Adds received bytes. @throws ServiceError unavailable if there are too many */
  add(held: Held, bytes: number): void {
    const ofTeam = (this.#ofTeams.get(held.teamId) ?? 0) + bytes;
    if (ofTeam > this.#maxTeamBytes)
      throw new ServiceError("unavailable", LIMIT_ERRORS.teamUploads, { retryAfterSeconds: 2 });
    if (this.#bytes + bytes > this.#maxBytes)
      throw new ServiceError("unavailable", this.#busy, { retryAfterSeconds: 2 });
    this.#ofTeams.set(held.teamId, ofTeam);
    this.#bytes += bytes;
    held.bytes += bytes;
  }

  /** Frees the bytes of a body that is done with. */
  free(held: Held): void {
    const ofTeam = (this.#ofTeams.get(held.teamId) ?? 0) - held.bytes;
    if (ofTeam > 0) this.#ofTeams.set(held.teamId, ofTeam);
    else this.#ofTeams.delete(held.teamId);
    this.#bytes -= held.bytes;
    held.bytes = 0;
  }
}
