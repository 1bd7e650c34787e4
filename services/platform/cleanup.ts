import type { Chore } from "../../shared/periodic-task.ts";
import { removeOldDeliveries } from "./deliveries/delivery.store.ts";
import { removeOldBegun } from "./installs/install.store.ts";
import type { PlatformNode } from "./platform-context.ts";
import { LOG_MESSAGES } from "./texts.ts";

const EVERY_MS = 3_600_000;

/** The tidying up as a node's chore; any number of nodes may have it. */
export function tidyChore(node: Pick<PlatformNode, "em">): Chore {
  return {
    everyMs: EVERY_MS,
    work: () => tidy(node),
    failed: LOG_MESSAGES.rowsNotDeleted,
  };
}

/** Removes deliveries that are known no longer, and installations that were begun and left. */
export async function tidy({ em }: Pick<PlatformNode, "em">): Promise<void> {
  await removeOldDeliveries(em());
  await removeOldBegun(em());
}
