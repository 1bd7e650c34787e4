import { databaseIsAway, type EntityManager } from "../../mixins/database.ts";
import type { PlatformSettings } from "../../shared/platform-variables.ts";
import type { PlatformApi } from "./platform-api.ts";

/** What the use cases of this service work with. */
export interface PlatformNode {
  /** A new unit of work. */
  em(): EntityManager;
  settings: PlatformSettings;
  /** This service's public address, without a slash at the end. */
  baseUrl: string;
  /** Null where the platform's users cannot install the integration. */
  platformApi: PlatformApi | null;
  /** Notes what went wrong. */
  warn(error: unknown, what: string): void;
}

/** The store for the length of one delivery. */
export interface Store {
  /** What the store says; `absent` when it does not answer, and from then on without asking it. */
  ask<T>(question: (em: EntityManager) => Promise<T>, absent: T): Promise<T>;
}

/** Longer than any of the questions takes; shorter than the platform waits. */
const ANSWERED_WITHIN_MS = 4_000;

/** Asks a node's store for as long as it answers: one that is away must not keep a delivery for minutes. */
export function storeOf({ em, warn }: Pick<PlatformNode, "em" | "warn">): Store {
  let isAway = false;
  return {
    async ask(question, absent) {
      if (isAway) return absent;
      try {
        return await within(ANSWERED_WITHIN_MS, question(em()));
      } catch (error) {
        if (!(error instanceof NoAnswer) && !databaseIsAway(error)) throw error;
        isAway = true;
        warn(error, "A delivery is judged without the database: custom domains are refused meanwhile");
        return absent;
      }
    },
  };
}

class NoAnswer extends Error {}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer("The database did not answer in time.")), ms);
  });
  // Whatever comes after nobody waits any more is nobody's error.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
