import type { ServiceBroker } from "moleculer";
import { z } from "zod";

/** What a node tells the others of itself, in its metadata. */
const nodes = z.array(
  z.object({ metadata: z.object({ renderConcurrency: z.number().optional() }).nullish() }),
);

/** Pages that all renderers on the bus together render at once. */
export function renderCapacity(broker: ServiceBroker): number {
  const known = nodes.parse(broker.registry.getNodeList({ onlyAvailable: true, withServices: false }));
  return known.reduce((sum, { metadata }) => sum + (metadata?.renderConcurrency ?? 0), 0);
}
