import { type ServiceBroker, type Span, TracerExporters, type TracerOptions } from "moleculer";
import { spanIdOf, traceIdOf } from "../tracing/trace-context.ts";
import type { Tracer } from "../tracing/work-scope.ts";
import { LOG_MESSAGES } from "./texts.ts";

const FLUSH_INTERVAL_SECONDS = 5;
/** A slower collector counts as unreachable. Its spans are dropped, to bound the node's memory. */
const SEND_TIMEOUT_MS = 4_000;
/** Spans that wait for the next request. Further ones are dropped. */
const MAX_KEPT_SPANS = 10_000;
/** Type of spans that handle a message of a queue. */
const CONSUMER = "consumer";

/** Kinds of spans in Zipkin's API. Spans within a service have none. */
const KINDS: Record<string, string> = { action: "SERVER", [CONSUMER]: "CONSUMER" };

/** A span in the format of Zipkin's API (https://zipkin.io/zipkin-api/#/default/post_spans). */
interface ZipkinSpan {
  traceId: string;
  id: string;
  parentId?: string;
  name: string;
  kind?: string;
  /** µs since 1970. */
  timestamp: number;
  /** µs, at least 1. */
  duration: number;
  localEndpoint: { serviceName: string };
  tags: Record<string, string>;
}

/**
 * Returns the tracing options for a collector of Zipkin's format at exactly this URL. Without one, tracing is
 * off.
 */
export function tracingTo(endpoint: string | null): TracerOptions {
  if (endpoint === null) return { enabled: false };
  const exporter: unknown = new ZipkinSpans(endpoint);
  return {
    enabled: true,
    // biome-ignore lint/plugin: the options' types know only the exporters that come with Moleculer.
    exporter: exporter as TracerOptions["exporter"],
    // A submission may hold the headers that open a staging site, and an error's message may hold a row.
    tags: { action: { params: false, meta: false, response: false } },
    errorFields: ["name", "code", "type"],
  };
}

/** Returns the tracer for work outside of actions, such as jobs. Undefined if tracing is off. */
export function tracerOf(broker: ServiceBroker): Tracer | undefined {
  if (!broker.isTracingEnabled()) return undefined;
  return {
    start(name, parent, { service, isConsumer = false, tags = {} }) {
      const span = broker.tracer.startSpan(name, {
        ...{ type: isConsumer ? CONSUMER : "custom", tags },
        service: { name: service, version: undefined, fullName: service },
        ...(parent && { traceID: parent.traceId, parentID: parent.spanId, sampled: parent.isSampled }),
      });
      return {
        context: {
          traceId: traceIdOf(span.traceID),
          spanId: spanIdOf(span.id) ?? "",
          isSampled: span.sampled,
        },
        end(error) {
          if (error !== undefined) span.setError(error instanceof Error ? error : new Error());
          span.finish();
        },
      };
    },
  };
}

/**
 * Moleculer's exporter, with spans that every collector accepts. It keeps what it sends, not what the spans refer to,
 * such as requests. It also sends the last spans at the node's stop.
 */
class ZipkinSpans extends TracerExporters.Zipkin {
  readonly #endpoint: string;
  readonly #headers: Record<string, string>;
  #waiting: ZipkinSpan[] = [];
  #isReachable = true;

  constructor(endpoint: string) {
    super({ interval: FLUSH_INTERVAL_SECONDS });
    const { url, authorization } = withoutCredentials(endpoint);
    this.#endpoint = url;
    this.#headers = {
      "Content-Type": "application/json",
      ...(authorization !== null && { Authorization: authorization }),
    };
  }

  override spanFinished(span: Span): void {
    if (this.#waiting.length >= MAX_KEPT_SPANS) return;
    const zipkinSpan = this.#toZipkin(span);
    if (zipkinSpan) this.#waiting.push(zipkinSpan);
  }

  override flush(): void {
    void this.#send();
  }

  override async stop(): Promise<void> {
    super.stop();
    await this.#send();
  }

  /** Null for an id that no collector accepts. One such span would make it reject all of them. */
  #toZipkin(span: Span): ZipkinSpan | null {
    const id = spanIdOf(span.id);
    if (id === null) return null;
    const parentId = spanIdOf(span.parentID);
    const kind = KINDS[span.type];
    const { error } = span;
    const tags: Record<string, unknown> = {
      ...this.flattenTags(span.tags, true),
      ...(error && this.flattenTags(this.errorToObject(error), true, "error")),
      ...(error instanceof Error && { error: error.name }),
    };
    return {
      traceId: traceIdOf(span.traceID),
      id,
      ...(parentId !== null && { parentId }),
      name: span.name,
      ...(kind !== undefined && { kind }),
      timestamp: Math.round((span.startTime ?? 0) * 1_000),
      duration: Math.max(1, Math.round((span.duration ?? 0) * 1_000)),
      localEndpoint: { serviceName: span.service?.fullName ?? "vrs" },
      tags: Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)])),
    };
  }

  async #send(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const spans = this.#waiting;
    this.#waiting = [];
    try {
      const response = await fetch(this.#endpoint, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(spans),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) this.#isReachable = true;
      else this.#failed(LOG_MESSAGES.spansRejected(response.status));
    } catch (error) {
      this.#failed(LOG_MESSAGES.spansNotSent(error instanceof Error ? error.message : error));
    }
  }

  /** Once until it works again. Otherwise, a collector that is down would fill the log. */
  #failed(message: string): void {
    if (this.#isReachable) this.tracer.logger.warn(message);
    this.#isReachable = false;
  }
}

/** `fetch` refuses URLs with credentials, and names them in its error, which is logged. */
function withoutCredentials(endpoint: string): { url: string; authorization: string | null } {
  const url = new URL(endpoint);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  const isOpen = credentials === ":";
  return {
    url: url.href,
    authorization: isOpen ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}
