import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { REGION } from "../contracts/capture/region.ts";
import { type RenderingFingerprint, renderingFingerprint } from "../contracts/capture/rendering.ts";
import { CONTRACTS, contractRange, REGIONAL_JOBS } from "../contracts/contract-version.ts";
import { type ProbeRequest, type ProbeResult, probeResult } from "../contracts/monitors/http-checks.ts";

/** More than a machine can render concurrently. It bounds what a worker reports about itself. */
const MAX_PAGES = 1_000;

/** What a node reports about itself in its metadata. Workers can send anything. */
const node = z.object({
  id: z.string(),
  metadata: z
    .object({
      renderConcurrency: z.number().min(0).max(MAX_PAGES).catch(0),
      rendering: renderingFingerprint.nullable().catch(null),
      region: z.string().regex(REGION).nullable().catch(null),
      // A single node announces none.
      contracts: contractRange.catch(CONTRACTS),
    })
    .catch({ renderConcurrency: 0, rendering: null, region: null, contracts: CONTRACTS }),
});

/** A node that renders. */
export interface Renderer {
  nodeId: string;
  /** Pages that it can render concurrently. */
  capacity: number;
  /** How its browser renders. Null until it is measured. */
  rendering: RenderingFingerprint | null;
  /** The label that its operator gave it. */
  region: string | null;
}

/** Returns the renderers on the bus. */
export function listRenderers(broker: ServiceBroker): Renderer[] {
  return listNodes(broker).map(({ renderer }) => renderer);
}

/**
 * Returns the renderers on the bus as jobs see them. Nodes of earlier versions have no region here, because they don't
 * take the jobs of one.
 */
export function listJobRenderers(broker: ServiceBroker): Renderer[] {
  return listNodes(broker).map(({ renderer, version }) =>
    version >= REGIONAL_JOBS ? renderer : { ...renderer, region: null },
  );
}

function listNodes(broker: ServiceBroker): { renderer: Renderer; version: number }[] {
  const nodes = z
    .array(node)
    .parse(broker.registry.getNodeList({ onlyAvailable: true, withServices: false }));
  return nodes
    .filter(({ metadata }) => metadata.renderConcurrency > 0)
    .map(({ id, metadata: { renderConcurrency, rendering, region, contracts } }) => ({
      renderer: { nodeId: id, capacity: renderConcurrency, ...{ rendering, region } },
      version: contracts.version,
    }));
}

/** Longer than a probe takes. */
const PROBE_TIMEOUT_MS = 25_000;
/** A region whose nodes don't respond counts as one without a node. */
const MAX_PROBE_NODES = 2;

/**
 * Requests a page from a renderer of a region, or of any. Tries a second node if the first one doesn't respond.
 * @returns null if no node of the region responds
 */
export async function probeFrom(
  broker: ServiceBroker,
  region: string | null,
  asked: ProbeRequest,
): Promise<ProbeResult | null> {
  const nodes = listRenderers(broker).filter(node => region === null || node.region === region);
  const start = Math.floor(Math.random() * nodes.length);
  const some = [...nodes.slice(start), ...nodes.slice(0, start)].slice(0, MAX_PROBE_NODES);
  for (const { nodeId } of some) {
    const options = { nodeID: nodeId, timeout: PROBE_TIMEOUT_MS, retries: 0 };
    // A worker can send anything, so an answer of another shape counts as none.
    const answer: unknown = await broker.call("renderer.probe", asked, options).catch(() => null);
    const { data } = probeResult.safeParse(answer);
    if (data) return data;
  }
  return null;
}

/** Publishes this node's rendering fingerprint to the other nodes. */
export function announceRendering(broker: ServiceBroker, rendering: RenderingFingerprint): void {
  broker.metadata.rendering = rendering;
  broker.registry.regenerateLocalRawInfo(true);
  broker.localServiceChanged();
}
