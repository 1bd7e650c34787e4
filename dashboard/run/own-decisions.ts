import type { Shot } from "../api/shot.ts";

/** All that the reader has decided on a run. */
export interface OwnDecisions {
  ids: string[];
  /** What they are: “Undo approval”. */
  name: "approval" | "rejection" | "decisions";
}

/** Returns what the reader can undo as a whole; null without decisions that count. */
export function ownDecisions(shots: readonly Shot[]): OwnDecisions | null {
  const decided = shots.filter(({ mine }) => mine !== null);
  if (decided.length === 0) return null;
  const ids = decided.map(({ id }) => id);
  const verdicts = new Set(decided.map(({ mine }) => mine?.verdict));
  if (verdicts.size > 1) return { ids, name: "decisions" };
  return { ids, name: verdicts.has("approved") ? "approval" : "rejection" };
}
