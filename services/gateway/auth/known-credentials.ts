import { setTimeout as delay } from "node:timers/promises";
import { type Bus, call } from "../../../shared/contracts/bus.ts";

/** How long credentials are gathered for one question to the teams service, ms. */
const GATHER_MS = 50;
/** Asked about at once: one message. What comes beyond it is not answered for. */
const AT_ONCE = 2_000;

/** Finds out which credentials open anything, many with one query: what a flood costs is the same however large it is. */
export class KnownCredentials {
  #asked: { hashes: Set<string>; known: Promise<Set<string>> } | null = null;

  /** Whether a key or session with this hash exists; false where too many were asked about at the same moment. */
  async has(bus: Bus, hash: string): Promise<boolean> {
    this.#asked ??= this.#gather(bus);
    const { hashes, known } = this.#asked;
    if (hashes.size < AT_ONCE) hashes.add(hash);
    return (await known).has(hash);
  }

  #gather(bus: Bus): { hashes: Set<string>; known: Promise<Set<string>> } {
    const hashes = new Set<string>();
    const ask = async () => {
      await delay(GATHER_MS);
      this.#asked = null;
      return new Set(await call(bus, "teams.knownCredentials", { hashes: [...hashes] }));
    };
    return { hashes, known: ask() };
  }
}
