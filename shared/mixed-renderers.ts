import {
  RENDERING_PARTS,
  type RenderingFingerprint,
  type RenderingPart,
} from "./contracts/runs/rendering.ts";
import { count } from "./text/format.ts";

/** Renderers that draw differently. */
export interface MixedRenderers {
  /** What differs between any two of them. */
  differs: RenderingPart[];
  /** Nodes by the id of their fingerprint, most nodes first. */
  groups: { rendering: string; nodes: string[] }[];
  /** What that means and what to do, for an operator. */
  message: string;
}

const NAMES: Record<RenderingPart, string> = {
  browser: "browser build",
  fonts: "fonts",
  flags: "browser flags",
  pixels: "pixels of the reference page",
};

/** Says that so many baselines were captured by renderers that draw differently. */
export function describeOtherRenderers(baselines: number): string {
  return `${count(baselines, "baseline was", "baselines were")} captured by another browser build or with other fonts. Differences may come from that.`;
}

/** Returns how renderers differ; null where all that are known draw alike. */
export function findMixedRenderers(
  nodes: readonly { nodeId: string; rendering: RenderingFingerprint | null }[],
): MixedRenderers | null {
  const known = nodes.flatMap(({ nodeId, rendering }) => (rendering ? [{ nodeId, rendering }] : []));
  const byId = Map.groupBy(known, ({ rendering }) => rendering.id);
  if (byId.size < 2) return null;
  const differs = RENDERING_PARTS.filter(part => new Set(known.map(each => each.rendering[part])).size > 1);
  const groups = [...byId]
    .map(([rendering, members]) => ({ rendering, nodes: members.map(({ nodeId }) => nodeId).sort() }))
    .sort((a, b) => b.nodes.length - a.nodes.length || (a.rendering < b.rendering ? -1 : 1));
  const what = differs.map(part => NAMES[part]).join(", ");
  const message =
    `The renderers do not render identically. They differ in: ${what}. ` +
    "Each run uses only identical renderers. Install the same version, fonts, and browser on all of them.";
  return { differs, groups, message };
}
