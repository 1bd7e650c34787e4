import { parseTraceparent } from "../../shared/tracing/trace-context.ts";
import { inScope, scopeFrom, scopeOfRun } from "../../shared/tracing/work-scope.ts";
import type { Run } from "./run.entity.ts";
import type { RunsContext } from "./runs-context.ts";

/**
 * Runs work on a run in the trace of its submission: as a part of the current work, if that belongs to the same trace.
 * Sweeps, and results of nodes that send no trace, belong to others.
 */
export function inRunScope<T>(
  { tracer }: Pick<RunsContext, "tracer">,
  { id: runId, origin }: Pick<Run, "id" | "origin">,
  work: () => T,
): T {
  const current = scopeOfRun(runId);
  const submitted = parseTraceparent(origin?.traceparent);
  const isOwn = submitted === null || current?.trace?.traceId === submitted.traceId;
  if (current && isOwn) return inScope({ ...current, runId }, work);
  return inScope(scopeFrom(origin, { runId, tracer, service: "runs" }), work);
}
