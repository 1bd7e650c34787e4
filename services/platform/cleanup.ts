import type { PeriodicTask } from "../../shared/periodic-task.ts";
import { deleteOldDeliveries } from "./deliveries/delivery.store.ts";
import { deleteOldPendingInstalls } from "./installs/install.store.ts";
import type { PlatformContext } from "./platform-context.ts";
import { LOG_MESSAGES } from "./texts.ts";

const CLEANUP_INTERVAL_MS = 3_600_000;

/** Returns the cleanup as a periodic task. Any number of nodes can run it. */
export function cleanupTask(context: Pick<PlatformContext, "em">): PeriodicTask {
  return {
    intervalMs: CLEANUP_INTERVAL_MS,
    work: () => cleanUp(context),
    failed: LOG_MESSAGES.rowsNotDeleted,
  };
}

/** Deletes old deliveries, and installations that were started but not finished. */
export async function cleanUp({ em }: Pick<PlatformContext, "em">): Promise<void> {
  await deleteOldDeliveries(em());
  await deleteOldPendingInstalls(em());
}
