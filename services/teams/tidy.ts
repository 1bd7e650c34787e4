import type { EntityManager } from "../../mixins/database.ts";
import { RESTORABLE_DAYS } from "./manage-team.ts";
import { removeOldSessions } from "./session.store.ts";
import { removeOldSignIns } from "./sign-in.store.ts";
import { removeDeletedTeams } from "./team.store.ts";

const EVERY_MS = 3_600_000;

/** What tidying up is done with. */
interface Tidier {
  em(): EntityManager;
  /** Tells the others that a team is gone. */
  tellGone(teamId: string): Promise<void>;
  warn(error: unknown): void;
}

/** Has this node remove what is over, now and then; any number of nodes may. @returns what ends that */
export function tidyRegularly(tidier: Tidier): () => void {
  const timer = setInterval(() => void tidy(tidier).catch(tidier.warn), EVERY_MS);
  return () => clearInterval(timer);
}

/** Removes deleted teams that nobody has restored in time, and sessions that are over. */
export async function tidy({ em, tellGone }: Pick<Tidier, "em" | "tellGone">): Promise<void> {
  await removeOldSessions(em());
  await removeOldSignIns(em());
  for (const id of await removeDeletedTeams(em(), RESTORABLE_DAYS)) await tellGone(id);
}
