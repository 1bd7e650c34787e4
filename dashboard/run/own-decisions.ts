import type { Shot } from "../api/shot.ts";

/** All that the reader has decided on a run. */
export interface OwnDecisions {
  ids: string[];
  /** As in: take the approval back. */
  name: "approval" | "rejection" | "decisions";
}

/** What the reader can take back as a whole; null where she has decided nothing that counts. */
export function ownDecisions(shots: readonly Shot[]): OwnDecisions | null {
  const decided = shots.filter(({ mine }) => mine !== null);
  if (decided.length === 0) return null;
  const ids = decided.map(({ id }) => id);
  const verdicts = new Set(decided.map(({ mine }) => mine?.verdict));
  if (verdicts.size > 1) return { ids, name: "decisions" };
  return { ids, name: verdicts.has("approved") ? "approval" : "rejection" };
}
