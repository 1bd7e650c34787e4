import type { EntityManager } from "../../mixins/database.ts";
import type { PeriodicTask } from "../../shared/periodic-task.ts";
import { deleteExpiredKeys } from "./keys/exchanged-key.store.ts";
import { RESTORABLE_DAYS } from "./manage-team.ts";
import { deleteOldMails } from "./members/invitation.store.ts";
import { deleteOldLogoutTokens } from "./sign-in/provider.store.ts";
import { deleteOldSessions } from "./sign-in/session.store.ts";
import { deleteOldSignIns } from "./sign-in/sign-in.store.ts";
import { deleteExpiredTeams } from "./team.store.ts";
import { LOG_MESSAGES } from "./texts.ts";

const CLEANUP_INTERVAL_MS = 3_600_000;

/** The dependencies of the cleanup. */
interface CleanupContext {
  em(): EntityManager;
  /** Publishes that a team was deleted for good. */
  publishGone(teamId: string): Promise<void>;
}

/** Returns the cleanup as a periodic task. Any number of nodes can run it. */
export function cleanupTask(context: CleanupContext): PeriodicTask {
  return {
    intervalMs: CLEANUP_INTERVAL_MS,
    work: () => cleanUp(context),
    failed: LOG_MESSAGES.rowsNotDeleted,
  };
}

/** Deletes deleted teams that were not restored in time, and expired sessions and keys. */
export async function cleanUp({ em, publishGone }: CleanupContext): Promise<void> {
  await deleteOldSessions(em());
  await deleteOldSignIns(em());
  await deleteOldLogoutTokens(em());
  await deleteExpiredKeys(em());
  await deleteOldMails(em());
  for (const id of await deleteExpiredTeams(em(), RESTORABLE_DAYS)) await publishGone(id);
}
