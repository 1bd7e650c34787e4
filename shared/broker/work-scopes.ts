import { Context, type Middleware, type ServiceBroker } from "moleculer";
import type { Meta } from "../contracts/bus.ts";
import { spanIdOf, type TraceContext, traceIdOf } from "../tracing/trace-context.ts";
import {
  currentScope,
  inScope,
  outOfScope,
  runIdIn,
  type Tracer,
  traced,
  type WorkScope,
} from "../tracing/work-scope.ts";
import { tracerOf } from "./tracing.ts";

/** It comes with each screenshot, and would fill traces. */
const UNTRACED_EVENT = "run.progressed";
/** Events of the node itself, such as its start. What they start may last as long as the node. */
const NODE_EVENT = "$";

type Work = (context: Context<unknown, Meta>) => Promise<unknown>;
type Send = (name: string, content: unknown, options?: SendOptions) => Promise<unknown>;

/** Moleculer's options of calls and events that carry a trace. */
interface SendOptions {
  parentCtx?: unknown;
  parentSpan?: unknown;
  requestID?: string;
  meta?: Meta;
}

/** The context of a message, in the trace that the message belongs to. */
export class TracedContext<P, M extends object, L, H> extends Context<P, M, L, H> {
  /** Moleculer's traces have the id of their request. A trace that a client started has its own. */
  override startSpan(name: string, options: Record<string, unknown> = {}): ReturnType<Context["startSpan"]> {
    const { traceId }: Meta = this.meta;
    return super.startSpan(name, traceId === undefined ? options : { ...options, traceID: traceId });
  }
}

/**
 * Returns options of a call that continues a client's trace. The request keeps its own id.
 * @param trace null without a trace of the client
 */
export function continueTrace(requestID: string, trace: TraceContext | null): SendOptions {
  if (trace === null) return { requestID };
  const parentSpan = { id: trace.spanId, traceID: requestID, sampled: trace.isSampled };
  return { requestID, parentSpan, meta: { traceId: trace.traceId } };
}

/**
 * Middleware that runs actions and event handlers in the scope of their request, and sends in that scope what services
 * send without a context.
 */
export function workScopes(): Middleware {
  let tracer: Tracer | undefined;
  const hooks: object = {
    name: "WorkScopes",
    created: (broker: ServiceBroker) => (tracer = tracerOf(broker)),
    localAction: (next: Work): Work =>
      function (this: unknown, context) {
        return inScope(scopeOfAction(context, tracer), () => next.call(this, context));
      },
    localEvent: (next: Work, { name }: { name: string }): Work =>
      function (this: unknown, context) {
        if (name.startsWith(NODE_EVENT)) return outOfScope(() => next.call(this, context));
        const scope = scopeOfEvent(context, tracer);
        const isTraced = scope.trace !== undefined && name !== UNTRACED_EVENT;
        const work = () => next.call(this, context);
        return inScope(scope, () => (isTraced ? traced(`event ${name}`, work) : work()));
      },
    call: sendInScope,
    emit: sendInScope,
    broadcast: sendInScope,
  };
  // biome-ignore lint/plugin: Moleculer's types take the hooks' results for the events'.
  return hooks as Middleware;
}

function sendInScope(next: Send): Send {
  return (name, content, options) => next(name, content, withScope(options));
}

/** A context's own messages already carry its trace. */
function withScope(options: SendOptions = {}): SendOptions {
  const scope = currentScope();
  if (!scope?.requestId || options.parentCtx || options.parentSpan || options.requestID) return options;
  const { requestId, trace } = scope;
  if (!trace) return { ...options, requestID: requestId };
  const { meta, ...continued } = continueTrace(requestId, trace);
  const isOwnTrace = trace.traceId === traceIdOf(requestId);
  return { ...options, ...continued, ...(!isOwnTrace && { meta: { ...options.meta, ...meta } }) };
}

function scopeOfAction(context: Context<unknown, Meta>, tracer: Tracer | undefined): WorkScope {
  const spanId = tracer && spanIdOf(context.span?.id);
  return scopeOf(context, spanId ? { tracer, spanId } : null);
}

/** Moleculer starts no spans for events. An event that belongs to no trace starts none. */
function scopeOfEvent(context: Context<unknown, Meta>, tracer: Tracer | undefined): WorkScope {
  const spanId = tracer && spanIdOf(context.parentID);
  return scopeOf(context, spanId && context.tracing !== null ? { tracer, spanId } : null);
}

function scopeOf(
  context: Context<unknown, Meta>,
  traced: { tracer: Tracer | undefined; spanId: string } | null,
): WorkScope {
  const requestId = context.requestID ?? context.id;
  const scope = { requestId, runId: runIdIn(context.params), service: context.service?.name };
  if (traced === null) return scope;
  const { tracer, spanId } = traced;
  return { ...scope, tracer, trace: traceOf(context, requestId, spanId) };
}

function traceOf(context: Context<unknown, Meta>, requestId: string, spanId: string): TraceContext {
  const { traceId } = context.meta;
  return { traceId: traceIdOf(traceId ?? requestId), spanId, isSampled: context.tracing !== false };
}
