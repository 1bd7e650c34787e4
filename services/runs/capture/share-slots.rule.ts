/** The levels that share the renderers' slots: teams, then a team's projects, then a project's runs. */
const SHARE_KINDS = ["team", "project", "run"] as const;
type ShareKind = (typeof SHARE_KINDS)[number];

/** The slot time of one team, project, or run. */
export interface SlotShare {
  kind: ShareKind;
  id: string;
  /** How long it held slots, in ms. A new sharer starts at the level of its siblings. */
  timeMs: number;
  /** Recent average time that one of its pages holds a slot. Null before the first page. */
  pageMs: number | null;
  /** Whether it had work at the last sharing. */
  active: boolean;
}

/** A run with jobs that wait for a slot or hold one. */
export interface SharingRun {
  runId: string;
  projectId: string;
  teamId: string;
  /** Dispatched pages without a result. */
  pagesQueued: number;
  /** Jobs to dispatch, up to the number that could be free. */
  jobsWaiting: number;
  /** Pages of those jobs. */
  pagesWaiting: number;
}

/** Assumed time of a page without history, in ms. The share is corrected once the page has held its slot. */
const USUAL_PAGE_MS = 3_000;

interface Sharer {
  share: SlotShare;
  parent: Sharer | null;
  children: Map<string, Sharer>;
  /** The time that it held slots, and the expected time of its dispatched pages. */
  costMs: number;
  jobsWaiting: number;
  /** Only for runs. */
  jobMs: number;
}

/** The next runs, and the resulting shares. */
export interface Sharing {
  /** One run per free job. */
  runIds: string[];
  /** Everything that has work, including new sharers. */
  shares: SlotShare[];
}

/**
 * Decides whose jobs get the free slots.
 * On each level, the next is the one that held slots for the shortest time, including its dispatched pages. A sharer
 * that had no work starts at its lowest sibling. It doesn't make up for time that it didn't use, and doesn't pay for
 * time that it used while others had no work. (Start-time fair queuing: Goyal, Vin and Cheng, 1996.)
 *
 * @param freeJobs number of jobs to dispatch
 */
export function shareSlots(runs: SharingRun[], known: SlotShare[], freeJobs: number): Sharing {
  const root = treeOf(runs, new Map(known.map(share => [keyOf(share), share])));
  const runIds: string[] = [];
  while (runIds.length < freeJobs && root.jobsWaiting > 0) {
    const next = nextLeaf(root);
    runIds.push(next.share.id);
    for (let sharer: Sharer | null = next; sharer; sharer = sharer.parent) {
      sharer.costMs += next.jobMs;
      sharer.jobsWaiting -= 1;
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
    leaf.jobMs = (pageMs * run.pagesWaiting) / Math.max(1, run.jobsWaiting);
    for (let sharer: Sharer | null = leaf; sharer; sharer = sharer.parent) {
      sharer.costMs += pageMs * run.pagesQueued;
      sharer.jobsWaiting += run.jobsWaiting;
    }
  }
  placeNewSharers(root);
  return root;
}

function sharerOf(share: SlotShare, parent: Sharer | null): Sharer {
  return { share: { ...share }, parent, children: new Map(), costMs: 0, jobsWaiting: 0, jobMs: 0 };
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

/** Places new sharers among their siblings. */
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
    if (child.jobsWaiting > 0 && (next === null || comesBefore(child, next))) next = child;
  }
  return next === null ? parent : nextLeaf(next);
}

/** Ids are sorted by creation time. Of two equals the older one is first. */
function comesBefore(one: Sharer, other: Sharer): boolean {
  if (one.costMs !== other.costMs) return one.costMs < other.costMs;
  return one.share.id < other.share.id;
}

function descendantsOf(parent: Sharer): Sharer[] {
  return [...parent.children.values()].flatMap(child => [child, ...descendantsOf(child)]);
}
