import { setTimeout as delay } from "node:timers/promises";
import { type Bus, call } from "../../../shared/contracts/bus.ts";

/** How long credentials are collected for one request to the teams service. */
const BATCH_DELAY_MS = 50;
/** Credentials in one message. Further ones count as unknown. */
const MAX_BATCH_SIZE = 2_000;

/** Looks up which credentials exist, many with one query, so that a flood costs the same at any size. */
export class KnownCredentials {
  #batch: { hashes: Set<string>; known: Promise<Set<string>> } | null = null;

  /** Returns whether a key or session with this hash exists. False if the batch is full. */
  async has(bus: Bus, hash: string): Promise<boolean> {
    this.#batch ??= this.#startBatch(bus);
    const { hashes, known } = this.#batch;
    if (hashes.size < MAX_BATCH_SIZE) hashes.add(hash);
    return (await known).has(hash);
  }

  #startBatch(bus: Bus): { hashes: Set<string>; known: Promise<Set<string>> } {
    const hashes = new Set<string>();
    const request = async () => {
      await delay(BATCH_DELAY_MS);
      this.#batch = null;
      return new Set(await call(bus, "teams.knownCredentials", { hashes: [...hashes] }));
    };
    return { hashes, known: request() };
  }
}
