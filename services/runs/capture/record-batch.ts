import type { Result } from "../../../shared/contracts/runs/jobs.ts";
import { inScopesOfRuns, type WorkScope } from "../../../shared/tracing/work-scope.ts";
import type { RunsContext } from "../runs-context.ts";
import { recordResults } from "./record-results.ts";

/** A result, and the scope of the job that brought it. */
export interface ScopedResult {
  result: Result;
  scope: WorkScope;
}

/** Writes results of many jobs. What follows from a result belongs to the trace of its job. */
export function recordBatch(context: RunsContext, batch: ScopedResult[]): Promise<void> {
  const scopes = new Map(batch.map(({ result, scope }) => [result.runId, scope]));
  return inScopesOfRuns(scopes, () =>
    recordResults(
      context,
      batch.map(({ result }) => result),
    ),
  );
}
