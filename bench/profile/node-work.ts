import type { CpuProfile } from "./recording.ts";
import type { Share } from "./shares.ts";
import { pushSegment, type Segment } from "./spans.ts";

/** Shares by code: the file of the innermost frame with an entry here decides. */
const CODE: readonly { is: RegExp; share: Share }[] = [
  { is: /^node:internal\/crypto\/hash/, share: "hash" },
  {
    is: /node_modules\/(@electric-sql|@mikro-orm|kysely)\/|^wasm:|\.store\.ts$|\/mixins\/database/,
    share: "database",
  },
  {
    is: /\/shared\/capture\/(egress-proxy|checked-|tunnel|http-heads|exchange-errors|host-outcomes|name-lookups|address-)/,
    share: "proxy",
  },
  { is: /\/mixins\/image/, share: "images" },
  { is: /\/shared\/capture\/take-screenshot/, share: "transfer" },
  { is: /node_modules\/playwright|\/shared\/capture\//, share: "driver" },
  { is: /\/bench\//, share: "node" },
  { is: /node_modules\/|\/(mixins|services|shared)\//, share: "queue" },
];
/** Node's own code without any of ours around it. HTTP is nearly all the proxy's. */
const OWN_HTTP = /^node:_http/;

interface ProfileNode {
  name: string;
  url: string;
  parent: ProfileNode | null;
}

/**
 * Returns what the process's main thread did, from the samples of its CPU profile. It is in order, without idle time.
 */
export function nodeWork(profile: CpuProfile): Segment<Share>[] {
  const shares = sharesOf(profile);
  const segments: Segment<Share>[] = [];
  let atUs = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const startUs = atUs + (profile.timeDeltas[index] ?? 0);
    const endUs = startUs + (profile.timeDeltas[index + 1] ?? 0);
    atUs = startUs;
    const label = shares.get(id) ?? null;
    if (label !== null) pushSegment(segments, { label, startUs, endUs });
  }
  return segments;
}

/** Returns shares by node id; null for a thread that waits. */
function sharesOf({ nodes }: CpuProfile): Map<number, Share | null> {
  const byId = new Map<number, ProfileNode>(
    nodes.map(({ id, callFrame }) => [
      id,
      { name: callFrame.functionName, url: callFrame.url, parent: null },
    ]),
  );
  for (const { id, children = [] } of nodes)
    for (const child of children) {
      const node = byId.get(child);
      if (node !== undefined) node.parent = byId.get(id) ?? null;
    }
  return new Map([...byId].map(([id, node]) => [id, shareOf(node)]));
}

function shareOf(leaf: ProfileNode): Share | null {
  if (leaf.name === "(idle)") return null;
  let isHttp = false;
  for (let node: ProfileNode | null = leaf; node !== null; node = node.parent) {
    const { url } = node;
    const found = CODE.find(({ is }) => is.test(url));
    if (found !== undefined) return found.share;
    isHttp ||= OWN_HTTP.test(url);
  }
  return isHttp ? "proxy" : "node";
}
