import { AsyncLocalStorage } from "node:async_hooks";
import { formatTraceparent, parseTraceparent, type TraceContext } from "./trace-context.ts";

/** The request that work goes back to. It is stored with a run, and travels beside its jobs. */
export interface WorkOrigin {
  requestId?: string;
  /** As in W3C Trace Context. Absent while tracing is off. */
  traceparent?: string;
}

type Tags = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** Whether it handles a message of a queue. */
  isConsumer?: boolean;
  tags?: Tags;
}

/** A span that has started. */
interface OpenSpan {
  context: TraceContext;
  /** @param error why the work failed */
  end(error?: unknown): void;
}

/** Starts spans. A node without tracing has none. */
export interface Tracer {
  /** @param parent null for the first span of a trace */
  start(name: string, parent: TraceContext | null, options: SpanOptions & { service: string }): OpenSpan;
}

/** What the current work belongs to. Everything that it awaits belongs to the same. */
export interface WorkScope {
  requestId?: string;
  runId?: string;
  /** The current span, also of a node that doesn't record spans itself. */
  trace?: TraceContext;
  tracer?: Tracer;
  /** The service whose work it is. */
  service?: string;
  /** Scopes by run, for work on many runs at once. */
  runs?: ReadonlyMap<string, WorkScope>;
}

/** Ids from other nodes end up in logs and headers. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;
const RUN_ID = /^run_\w{1,100}$/;

const scopes = new AsyncLocalStorage<WorkScope | undefined>();

/** Returns what the current work belongs to. Undefined for work that a node does by itself. */
export function currentScope(): WorkScope | undefined {
  return scopes.getStore();
}

/** Runs work in a scope. */
export function inScope<T>(scope: WorkScope, work: () => T): T {
  return scopes.run(scope, work);
}

/** Runs work that belongs to no request, or to many, and not to the one that happens to start it. */
export function outOfScope<T>(work: () => T): T {
  return scopes.run(undefined, work);
}

/** Returns a function that runs work in the current scope, whatever the scope of its caller is. */
export function keepScope(): <T>(work: () => T) => T {
  const scope = scopes.getStore();
  return work => scopes.run(scope, work);
}

/** Returns the id of the run that a message or a response is about, if it has one. */
export function runIdIn(content: unknown): string | undefined {
  const { runId, id }: { runId?: unknown; id?: unknown } = Object(content);
  return [runId, id].filter(value => typeof value === "string").find(value => RUN_ID.test(value));
}

/** Adds the run that a message or a response is about to the current scope, unless it has one. */
export function nameRun(content: unknown): void {
  const scope = scopes.getStore();
  if (scope) scope.runId ??= runIdIn(content);
}

/** Returns the current scope if it belongs to the run. Undefined if it belongs to another run, or there is none. */
export function scopeOfRun(runId: string): WorkScope | undefined {
  const scope = scopes.getStore();
  if (scope?.runs) return scope.runs.get(runId);
  return scope?.runId === undefined || scope.runId === runId ? scope : undefined;
}

/** Runs work on many runs at once. What it does for one of them belongs to that run's scope. */
export function inScopesOfRuns<T>(runs: ReadonlyMap<string, WorkScope>, work: () => T): T {
  const [first] = runs.values();
  return scopes.run(runs.size === 1 && first ? first : { runs }, work);
}

/**
 * Runs work as a child of the current span. Without tracing, it only runs the work. Texts in tags must not contain
 * secrets, addresses or contents of pages.
 */
export async function traced<T>(name: string, work: () => Promise<T>, options: SpanOptions = {}): Promise<T> {
  const scope = scopes.getStore();
  if (scope?.tracer === undefined || scope.trace?.isSampled === false) return work();
  const service = scope.service ?? "vrs";
  const span = scope.tracer.start(name, scope.trace ?? null, { ...options, service });
  return scopes.run({ ...scope, trace: span.context }, async () => {
    try {
      const result = await work();
      span.end();
      return result;
    } catch (error) {
      span.end(error);
      throw error;
    }
  });
}

/** Returns the origin of work that this scope hands on. Null if there is nothing to hand on. */
export function originOf(scope: WorkScope | undefined): WorkOrigin | null {
  const { requestId, trace } = scope ?? {};
  return readOrigin(requestId, trace && formatTraceparent(trace));
}

/** Reads an origin that came from elsewhere. Invalid parts are left out. @returns null if nothing is left */
export function readOrigin(requestId: unknown, traceparent: unknown): WorkOrigin | null {
  const trace = parseTraceparent(traceparent);
  const isNamed = typeof requestId === "string" && REQUEST_ID.test(requestId);
  if (!isNamed && trace === null) return null;
  return { ...(isNamed && { requestId }), ...(trace && { traceparent: formatTraceparent(trace) }) };
}

/** Returns the scope of work with this origin. */
export function scopeFrom(
  origin: WorkOrigin | null | undefined,
  facts: Pick<WorkScope, "runId" | "tracer" | "service">,
): WorkScope {
  const trace = parseTraceparent(origin?.traceparent);
  return { ...facts, ...(origin?.requestId && { requestId: origin.requestId }), ...(trace && { trace }) };
}

/** Returns the ids that lines of the log have. */
export function scopeFields(): Pick<WorkScope, "requestId" | "runId"> & { traceId?: string } {
  const { requestId, runId, trace } = scopes.getStore() ?? {};
  return {
    ...(runId !== undefined && { runId }),
    ...(requestId !== undefined && { requestId }),
    ...(trace && { traceId: trace.traceId }),
  };
}
