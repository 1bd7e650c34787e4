import {
  RENDERING_PARTS,
  type RenderingFingerprint,
  type RenderingPart,
} from "./contracts/capture/rendering.ts";
import { count } from "./text/format.ts";

/** Renderers that don't render identically. */
export interface MixedRenderers {
  /** Properties that differ between any two of them. */
  differs: RenderingPart[];
  /** Nodes by the id of their fingerprint, largest group first. */
  groups: { rendering: string; nodes: string[] }[];
  /** The consequence and the remedy, for an operator. */
  message: string;
}

const NAMES: Record<RenderingPart, string> = {
  browser: "browser build",
  fonts: "fonts",
  flags: "browser flags",
  pixels: "pixels of the reference page",
};

/** Returns a text about baselines that other renderers captured. */
export function describeOtherRenderers(baselines: number): string {
  return `${count(baselines, "baseline was", "baselines were")} captured by another browser build or with other fonts. Differences may come from that.`;
}

/** Returns how the renderers differ, or null if all measured ones render identically. */
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
