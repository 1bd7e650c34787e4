import { parseTraceparent } from "../../shared/tracing/trace-context.ts";
import {
  inScope,
  scopeFrom,
  scopeOfRun,
  type WorkOrigin,
  type WorkScope,
} from "../../shared/tracing/work-scope.ts";
import type { Run } from "./run.entity.ts";
import type { RunsContext } from "./runs-context.ts";

/**
 * Runs work on a run as a part of its submission: as a part of the current work, if that goes back to the same
 * submission. Sweeps, and results of nodes that send no trace, belong to others.
 */
export function inRunScope<T>(
  { tracer }: Pick<RunsContext, "tracer">,
  { id: runId, origin }: Pick<Run, "id" | "origin">,
  work: () => T,
): T {
  const current = scopeOfRun(runId);
  if (current && goesBackTo(origin, current)) return inScope({ ...current, runId }, work);
  return inScope(scopeFrom(origin, { runId, tracer, service: "runs" }), work);
}

/** Without tracing, requests tell submissions apart. */
function goesBackTo(origin: WorkOrigin | null, { trace, requestId }: WorkScope): boolean {
  const submitted = parseTraceparent(origin?.traceparent);
  if (submitted !== null) return trace?.traceId === submitted.traceId;
  return origin?.requestId === undefined || requestId === origin.requestId;
}
