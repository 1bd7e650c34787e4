import { createHash } from "node:crypto";
import { type Span, TracerExporters, type TracerOptions } from "moleculer";
import { LOG_MESSAGES } from "./texts.ts";

const FLUSH_INTERVAL_SECONDS = 5;
/** A slower collector counts as unreachable. Its spans are dropped, to bound the node's memory. */
const SEND_TIMEOUT_MS = 4_000;
/** Spans that wait for the next request. Further ones are dropped. */
const MAX_KEPT_SPANS = 10_000;

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

/**
 * Moleculer's exporter, with ids and an address that every collector accepts. It also sends the last spans at
 * the node's stop.
 */
class ZipkinSpans extends TracerExporters.Zipkin {
  readonly #endpoint: string;

  constructor(endpoint: string) {
    super({ interval: FLUSH_INTERVAL_SECONDS });
    this.#endpoint = endpoint;
  }

  override spanFinished(span: Span): void {
    if (this.queue.length < MAX_KEPT_SPANS) super.spanFinished(span);
  }

  override flush(): void {
    void this.#send();
  }

  override async stop(): Promise<void> {
    super.stop();
    await this.#send();
  }

  override makePayload(span: Span): Record<string, unknown> {
    const { tags, remoteEndpoint: _remoteEndpoint, ...payload } = super.makePayload(span);
    const error = span.error instanceof Error ? { error: span.error.name } : {};
    return { ...payload, traceId: traceId(span.traceID), tags: { ...tags, ...error } };
  }

  async #send(): Promise<void> {
    if (this.queue.length === 0) return;
    const spans = this.generateTracingData();
    this.queue.length = 0;
    try {
      const response = await fetch(this.#endpoint, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(spans),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) this.tracer.logger.warn(LOG_MESSAGES.spansRejected(response.status));
    } catch (error) {
      this.tracer.logger.warn(LOG_MESSAGES.spansNotSent(error instanceof Error ? error.message : error));
    }
  }
}

/** Returns 32 hex digits: the request's id if it is a UUID. Ids from clients get an id derived from them. */
function traceId(requestId: string): string {
  const hex = requestId.replaceAll("-", "").toLowerCase();
  if (/^[0-9a-f]{32}$/.test(hex)) return hex;
  return createHash("sha256").update(requestId).digest("hex").slice(0, 32);
}
