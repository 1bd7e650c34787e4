/** Who shares the renderers' slots: teams first, then a team's projects, then a project's runs. */
const SHARE_KINDS = ["team", "project", "run"] as const;
type ShareKind = (typeof SHARE_KINDS)[number];

/** What one of them has had. */
export interface SlotShare {
  kind: ShareKind;
  id: string;
  /** How long it has held slots, ms, from where it was among its siblings when it began. */
  timeMs: number;
  /** How long one of its pages holds a slot lately; null before the first. */
  pageMs: number | null;
  /** Whether it had something to render the last time that slots were shared. */
  active: boolean;
}

/** A run with routes that wait for a slot, or have one. */
export interface SharingRun {
  runId: string;
  projectId: string;
  teamId: string;
  /** Pages that were handed out and have no result yet. */
  pagesQueued: number;
  /** Routes to hand out; of many, no more than there can be room for. */
  routesWaiting: number;
  /** Pages of those routes. */
  pagesWaiting: number;
}

/** Of a page of which nothing is known yet, ms: its share is put right once it has held its slot. */
const USUAL_PAGE_MS = 3_000;

interface Sharer {
  share: SlotShare;
  parent: Sharer | null;
  children: Map<string, Sharer>;
  /** The time that it has had, and what is under way is expected to take. */
  costMs: number;
  routesWaiting: number;
  /** Of a run. */
  routeMs: number;
}

/** Which runs are next, and how the shares stand then. */
export interface Sharing {
  /** A run for each route that there is room for. */
  runIds: string[];
  /** All that have something to render, those that begin now included. */
  shares: SlotShare[];
}

/**
 * Says whose routes get the slots that are free. On each level the one that has held slots for the shortest time is
 * next, what it has under way included. One that had nothing to render begins where the last of its siblings is: it
 * neither makes up for the time that it did not use, nor pays for what it used while others had nothing to render.
 * (Start-time fair queuing: Goyal, Vin and Cheng, 1996.)
 *
 * @param room routes to hand out
 */
export function shareSlots(runs: SharingRun[], known: SlotShare[], freeRoutes: number): Sharing {
  const root = treeOf(runs, new Map(known.map(share => [keyOf(share), share])));
  const runIds: string[] = [];
  while (runIds.length < freeRoutes && root.routesWaiting > 0) {
    const next = nextLeaf(root);
    runIds.push(next.share.id);
    for (let sharer: Sharer | null = next; sharer; sharer = sharer.parent) {
      sharer.costMs += next.routeMs;
      sharer.routesWaiting -= 1;
    }
  }
  return { runIds, shares: descendantsOf(root).map(({ share }) => share) };
}

function keyOf({ kind, id }: Pick<SlotShare, "kind" | "id">): string {
  return `${kind} ${id}`;
}

function treeOf(runs: SharingRun[], known: Map<string, SlotShare>): Sharer {
  const root = sharerOf({ kind: "team", id: "", timeMs: 0, pageMs: null, active: true }, null);
  for (const run of runs) {
    const path = [run.teamId, run.projectId, run.runId];
    const leaf = path.reduce((parent, id, level) => childOf(parent, id, level, known), root);
    const pageMs = pageMsOf(leaf);
    leaf.routeMs = (pageMs * run.pagesWaiting) / Math.max(1, run.routesWaiting);
    for (let sharer: Sharer | null = leaf; sharer; sharer = sharer.parent) {
      sharer.costMs += pageMs * run.pagesQueued;
      sharer.routesWaiting += run.routesWaiting;
    }
  }
  placeNewSharers(root);
  return root;
}

function sharerOf(share: SlotShare, parent: Sharer | null): Sharer {
  return { share: { ...share }, parent, children: new Map(), costMs: 0, routesWaiting: 0, routeMs: 0 };
}

function childOf(parent: Sharer, id: string, level: number, known: Map<string, SlotShare>): Sharer {
  const before = parent.children.get(id);
  if (before) return before;
  const kind = SHARE_KINDS[level] ?? "run";
  const share = known.get(keyOf({ kind, id })) ?? { kind, id, timeMs: 0, pageMs: null, active: false };
  const child = sharerOf(share, parent);
  parent.children.set(id, child);
  return child;
}

function pageMsOf(leaf: Sharer): number {
  for (let sharer: Sharer | null = leaf; sharer; sharer = sharer.parent)
    if (sharer.share.pageMs !== null) return sharer.share.pageMs;
  return USUAL_PAGE_MS;
}

/** Gives those that begin now their place among their siblings. */
function placeNewSharers(parent: Sharer): void {
  const children = [...parent.children.values()];
  const times = children.filter(({ share }) => share.active).map(({ share }) => share.timeMs);
  const last = times.reduce((least, timeMs) => Math.min(least, timeMs), Number.POSITIVE_INFINITY);
  for (const child of children) {
    const { share } = child;
    if (!share.active && times.length > 0) share.timeMs = Math.max(share.timeMs, last);
    share.active = true;
    child.costMs += share.timeMs;
    placeNewSharers(child);
  }
}

function nextLeaf(parent: Sharer): Sharer {
  let next: Sharer | null = null;
  for (const child of parent.children.values()) {
    if (child.routesWaiting > 0 && (next === null || comesBefore(child, next))) next = child;
  }
  return next === null ? parent : nextLeaf(next);
}

/** Ids follow the time at which they were made: of two equals the older one is first. */
function comesBefore(one: Sharer, other: Sharer): boolean {
  if (one.costMs !== other.costMs) return one.costMs < other.costMs;
  return one.share.id < other.share.id;
}

function descendantsOf(parent: Sharer): Sharer[] {
  return [...parent.children.values()].flatMap(child => [child, ...descendantsOf(child)]);
}
