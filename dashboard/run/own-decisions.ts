import type { Shot } from "../api/shot.ts";

/** All decisions of the reader on a run. */
export interface OwnDecisions {
  ids: string[];
  /** Name in the action, such as “Undo approval”. */
  name: "approval" | "rejection" | "decisions";
}

/** Returns the reader's decisions that can be undone together; null without current decisions. */
export function ownDecisions(shots: readonly Shot[]): OwnDecisions | null {
  const decided = shots.filter(({ mine }) => mine !== null);
  if (decided.length === 0) return null;
  const ids = decided.map(({ id }) => id);
  const verdicts = new Set(decided.map(({ mine }) => mine?.verdict));
  if (verdicts.size > 1) return { ids, name: "decisions" };
  return { ids, name: verdicts.has("approved") ? "approval" : "rejection" };
}
