import type { EntityManager } from "../../mixins/database.ts";
import type { PeriodicTask } from "../../shared/periodic-task.ts";
import { RESTORABLE_DAYS } from "./manage-team.ts";
import { removeOldSessions } from "./sign-in/session.store.ts";
import { removeOldSignIns } from "./sign-in/sign-in.store.ts";
import { removeDeletedTeams } from "./team.store.ts";
import { LOG_MESSAGES } from "./texts.ts";

const EVERY_MS = 3_600_000;

/** What tidying up is done with. */
interface Tidier {
  em(): EntityManager;
  /** Tells the others that a team is gone. */
  tellGone(teamId: string): Promise<void>;
}

/** The tidying up as a node's chore; any number of nodes may have it. */
export function cleanupTask(tidier: Tidier): PeriodicTask {
  return {
    intervalMs: EVERY_MS,
    work: () => cleanUp(tidier),
    failed: LOG_MESSAGES.rowsNotDeleted,
  };
}

/** Removes deleted teams that nobody has restored in time, and sessions that are over. */
export async function cleanUp({ em, tellGone }: Tidier): Promise<void> {
  await removeOldSessions(em());
  await removeOldSignIns(em());
  for (const id of await removeDeletedTeams(em(), RESTORABLE_DAYS)) await tellGone(id);
}
