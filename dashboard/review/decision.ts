import type { Shot } from "../api/shot.ts";

/** What is decided on screenshots of a run; a verdict of null opens them again. */
export interface Decision {
  ids: readonly string[];
  verdict: "approved" | "rejected" | null;
  /** Why they are rejected; null for the others. */
  reason: string | null;
}

/** Statuses that a reviewer decides on; what failed has no pixels to approve. */
const APPROVABLE = new Set<Shot["status"]>(["changed", "new", "removed"]);

/** Whether a decision on the screenshot means anything, as the service has it too. */
export function isDecidable(shot: Shot, verdict: Decision["verdict"]): boolean {
  if (verdict === null) return shot.review !== null;
  return APPROVABLE.has(shot.status) || (verdict === "rejected" && shot.status === "failed");
}

/** Whether the screenshot waits for a decision. */
export function isOpen(shot: Shot): boolean {
  return APPROVABLE.has(shot.status) && shot.review === null;
}

/** The screenshots as they are once the decision is made. */
export function decided(shots: readonly Shot[], { ids, verdict, reason }: Decision): Shot[] {
  const meant = new Set(ids);
  return shots.map(shot =>
    meant.has(shot.id) && isDecidable(shot, verdict)
      ? { ...shot, review: verdict, reviewReason: reason }
      : shot,
  );
}

/** The decisions that make everything as it is now, after one on these screenshots: what was alike is one. */
export function undoing(shots: readonly Shot[], { ids, verdict }: Decision): Decision[] {
  const meant = new Set(ids);
  const touched = shots.filter(shot => meant.has(shot.id) && isDecidable(shot, verdict));
  const alike = Map.groupBy(touched, ({ review, reviewReason }) => JSON.stringify([review, reviewReason]));
  return [...alike.values()].flatMap(([first, ...rest]) =>
    first
      ? [{ ids: [first, ...rest].map(({ id }) => id), verdict: first.review, reason: first.reviewReason }]
      : [],
  );
}
