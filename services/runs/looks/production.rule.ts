/**
 * Age of the latest look at which production may have changed since. The longest interval of a monitor is a week.
 */
const STALE_AFTER_MS = 8 * 24 * 3_600_000;

/** A changed screenshot of a run. */
export interface ChangedPixels {
  hash: string;
  baselineHash: string;
  /** Fingerprint of the change. Null if unknown. */
  fingerprint: string | null;
}

/** How the same page looked in production. */
export interface SeenLook {
  id: string;
  hash: string;
  /** Fingerprint of the difference from the monitor's baseline. Null without one. */
  fingerprint: string | null;
  cameAt: Date;
  seenAt: Date;
}

/** Since when production has a change. */
export interface InProduction {
  lookId: string;
  since: Date;
  seenAt: Date;
}

/** A mark, as a screenshot stores it. */
export interface ProductionMark {
  monitorId: string;
  lookId: string;
  /** The region that saw it. Absent for a monitor without regions. */
  region?: string;
  since: string;
  seenAt: string;
}

/**
 * Returns since when production has a change of a run. Null if it has another change, or none.
 *
 * Production must still have had the change in its latest check before the run, and that check must be recent: a change
 * that was fixed in production says nothing for a pull request that brings it back. Equal pixels alone don't count.
 * Production can look like that because it lacks what the baseline has, and the pull request reverts it. So the change
 * itself must be equal: the same pixels before and after, or the same fingerprint.
 * @param looks the looks of the page at the same route, state, environment and viewport, and from one region if the
 * monitor has some, in any order
 * @param at when the run was submitted
 */
export function findInProduction(
  changed: ChangedPixels,
  looks: readonly SeenLook[],
  at: Date,
): InProduction | null {
  const seen = looks
    .filter(({ cameAt }) => cameAt < at)
    .toSorted((one, other) => other.cameAt.getTime() - one.cameAt.getTime());
  const [latest] = seen;
  if (!latest || at.getTime() - latest.seenAt.getTime() > STALE_AFTER_MS) return null;
  const others = seen.findIndex(look => !isSameLook(changed, look));
  const same = others === -1 ? seen : seen.slice(0, others);
  const first = same.at(-1);
  if (!first) return null;
  const before = others === -1 ? undefined : seen[others];
  const isSameChange =
    before?.hash === changed.baselineHash || same.some(look => hasFingerprint(changed, look));
  if (!isSameChange) return null;
  // A later check of the run's own time may have extended the look.
  const seenAt = latest.seenAt < at ? latest.seenAt : at;
  return { lookId: first.id, since: first.cameAt, seenAt };
}

function isSameLook(changed: ChangedPixels, look: SeenLook): boolean {
  return look.hash === changed.hash || hasFingerprint(changed, look);
}

function hasFingerprint({ fingerprint }: ChangedPixels, look: SeenLook): boolean {
  return fingerprint !== null && look.fingerprint === fingerprint;
}
