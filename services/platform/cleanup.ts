import type { PeriodicTask } from "../../shared/periodic-task.ts";
import { removeOldDeliveries } from "./deliveries/delivery.store.ts";
import { removeOldBegun } from "./installs/install.store.ts";
import type { PlatformContext } from "./platform-context.ts";
import { LOG_MESSAGES } from "./texts.ts";

const EVERY_MS = 3_600_000;

/** The tidying up as a node's chore; any number of nodes may have it. */
export function cleanupTask(context: Pick<PlatformContext, "em">): PeriodicTask {
  return {
    intervalMs: EVERY_MS,
    work: () => cleanUp(context),
    failed: LOG_MESSAGES.rowsNotDeleted,
  };
}

/** Removes deliveries that are known no longer, and installations that were begun and left. */
export async function cleanUp({ em }: Pick<PlatformContext, "em">): Promise<void> {
  await removeOldDeliveries(em());
  await removeOldBegun(em());
}
