/** Capture attempts of a page: one finds a problem, one confirms it, and a third decides if those two disagree. */
export const MAX_ATTEMPTS = 3;

/** A problem that one attempt found: the page changed, doesn't respond, or this machine couldn't capture it. */
export type PageProblem = "changed" | "down" | "uncaptured";

/** What the attempts so far say: the last result counts, needs another attempt, or was seen only once. */
export type Confirmation = "confirmed" | "retry" | "unconfirmed";

/**
 * Returns whether the last result of a page counts. A page without a problem needs no confirmation. A problem counts
 * if two attempts in a row found it. The last attempt also confirms a problem that any earlier attempt found.
 * @param problems of the page, one per attempt, oldest first. Null stands for no problem
 * @param attempts how many attempts there were. A page with fewer results was not part of the later ones
 */
export function confirmProblem(problems: readonly (PageProblem | null)[], attempts: number): Confirmation {
  const last = problems.at(-1) ?? null;
  if (last === null || last === problems.at(-2)) return "confirmed";
  if (attempts < MAX_ATTEMPTS) return "retry";
  return problems.slice(0, -1).includes(last) ? "confirmed" : "unconfirmed";
}
