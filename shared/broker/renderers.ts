import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { type RenderingFingerprint, renderingFingerprint } from "../contracts/capture/rendering.ts";

/** More than a machine can render concurrently. It bounds what a worker reports about itself. */
const MAX_PAGES = 1_000;

/** What a node reports about itself in its metadata. Workers can send anything. */
const node = z.object({
  id: z.string(),
  metadata: z
    .object({
      renderConcurrency: z.number().min(0).max(MAX_PAGES).catch(0),
      rendering: renderingFingerprint.nullable().catch(null),
    })
    .catch({ renderConcurrency: 0, rendering: null }),
});

/** A node that renders. */
export interface Renderer {
  nodeId: string;
  /** Pages that it can render concurrently. */
  capacity: number;
  /** How its browser renders. Null until it is measured. */
  rendering: RenderingFingerprint | null;
}

/** Returns the renderers on the bus. */
export function listRenderers(broker: ServiceBroker): Renderer[] {
  const nodes = z
    .array(node)
    .parse(broker.registry.getNodeList({ onlyAvailable: true, withServices: false }));
  return nodes
    .filter(({ metadata }) => metadata.renderConcurrency > 0)
    .map(({ id, metadata: { renderConcurrency, rendering } }) => ({
      nodeId: id,
      capacity: renderConcurrency,
      rendering,
    }));
}

/** Publishes this node's rendering fingerprint to the other nodes. */
export function announceRendering(broker: ServiceBroker, rendering: RenderingFingerprint): void {
  broker.metadata.rendering = rendering;
  broker.registry.regenerateLocalRawInfo(true);
  broker.localServiceChanged();
}
