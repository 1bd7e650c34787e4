import type { JobName } from "../../shared/contracts/runs/jobs.ts";
import type { EnqueueOptions } from "../../shared/contracts/work-queue.ts";
import {
  inScope,
  originOf,
  scopeFrom,
  scopeOfRun,
  type Tracer,
  traced,
  type WorkOrigin,
} from "../../shared/tracing/work-scope.ts";

/** The service that does each kind of job. */
const SERVICES: Record<JobName, string> = { capture: "renderer", compare: "differ", result: "runs" };

/** A job, and where it comes from. */
interface JobFacts {
  name: JobName;
  fairKey: string;
  /** Null for jobs of nodes that didn't send one, and of work that no request caused. */
  origin: WorkOrigin | null;
  queuedAtMs: number;
  /** How often it was started, including this time. */
  attempts: number;
}

/** Returns the origin of a job that is being queued: the given one, else the work that queues it. */
export function originOfJob({ origin, fairKey }: EnqueueOptions): WorkOrigin | null {
  return origin === undefined ? originOf(scopeOfRun(fairKey)) : origin;
}

/** Runs a job as a part of the trace and the request that it comes from. */
export function runJob<T>(
  { name, fairKey, origin, queuedAtMs, attempts }: JobFacts,
  tracer: Tracer | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const runId = fairKey.startsWith("run_") ? fairKey : undefined;
  const scope = scopeFrom(origin, { runId, tracer, service: SERVICES[name] });
  if (tracer === undefined) return inScope(scope, work);
  // The clocks of the server and of this node may differ.
  const waitMs = Math.max(0, Date.now() - queuedAtMs);
  const tags = { ...(runId && { runId }), waitMs, attempt: attempts };
  return inScope(scope, () => traced(`job ${name}`, work, { isConsumer: true, tags }));
}
