import type { Check } from "./check.entity.ts";

/**
 * The run that people are to open, and approve. Of a check that found pages to look different it is the last one, which
 * shows them all and nothing else: earlier ones may hold what was not confirmed. Of any other it is the first, of all pages.
 */
export function namedRun({
  outcome,
  runId,
  latestRunId,
}: Pick<Check, "outcome" | "runId" | "latestRunId">): string {
  return outcome === "changed" ? latestRunId : runId;
}
