import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { type RenderingFingerprint, renderingFingerprint } from "../contracts/runs/rendering.ts";

/** More than a machine renders at once: what a worker says of itself is bounded. */
const MAX_PAGES = 1_000;

/** What a node says of itself in its metadata. Workers may say anything. */
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
  /** Pages that it renders at once. */
  capacity: number;
  /** How its browser draws; null until it has measured that. */
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

/** Tells the other nodes how this one's browser draws. */
export function announceRendering(broker: ServiceBroker, rendering: RenderingFingerprint): void {
  broker.metadata.rendering = rendering;
  broker.registry.regenerateLocalRawInfo(true);
  broker.localServiceChanged();
}
