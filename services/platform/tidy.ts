import { removeOldDeliveries } from "./delivery.store.ts";
import { removeOldBegun } from "./install.store.ts";
import type { PlatformNode } from "./platform-node.ts";

const EVERY_MS = 3_600_000;

/** Has this node remove what is over, now and then; any number of nodes may. @returns what ends that */
export function tidyRegularly(node: PlatformNode): () => void {
  const timer = setInterval(() => {
    void tidy(node).catch(error => node.warn(error, "What is over could not be removed; later again"));
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Removes deliveries that are known no longer, and installations that were begun and left. */
export async function tidy({ em }: Pick<PlatformNode, "em">): Promise<void> {
  await removeOldDeliveries(em());
  await removeOldBegun(em());
}
