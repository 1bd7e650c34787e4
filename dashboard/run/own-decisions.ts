import type { Screenshot } from "../api/screenshot.ts";

/** All decisions of the reader on a run. */
export interface OwnDecisions {
  ids: string[];
  /** Name in the action, such as “Undo approval”. */
  name: "approval" | "rejection" | "decisions";
}

/** Returns the reader's decisions that can be undone together; null without current decisions. */
export function ownDecisions(shots: readonly Screenshot[]): OwnDecisions | null {
  const applyDecision = shots.filter(({ ownDecision }) => ownDecision !== null);
  if (applyDecision.length === 0) return null;
  const ids = applyDecision.map(({ id }) => id);
  const verdicts = new Set(applyDecision.map(({ ownDecision }) => ownDecision?.verdict));
  if (verdicts.size > 1) return { ids, name: "decisions" };
  return { ids, name: verdicts.has("approved") ? "approval" : "rejection" };
}
