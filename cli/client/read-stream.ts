import { setTimeout as delay } from "node:timers/promises";
import { errorOf } from "../../shared/api/api-exchanges.ts";
import { eventReader } from "../../shared/api/event-reader.ts";
import { type Backoff, backoffMs } from "../../shared/backoff.ts";
import { parseJson } from "../../shared/json.ts";

const EVENTS = "text/event-stream";
/** The service sends a heartbeat every 15 seconds. */
const SILENCE_TIMEOUT_MS = 50_000;
const RETRIES: Backoff = { firstMs: 500, longestMs: 15_000 };
/** Attempts without any event in between. */
const ATTEMPTS = 8;

interface Stream {
  url: string;
  key: () => Promise<string>;
  signal?: AbortSignal;
}

interface StreamEvent<T> {
  event: string | undefined;
  data: T;
}

/**
 * Yields the events of a stream that have JSON data. A stream that breaks is opened again, up to eight times without an
 * event.
 * @throws ApiError if the service refuses the stream; the last failure of several; the signal's reason
 */
export async function* readStream<T>({ url, key, signal }: Stream): AsyncGenerator<StreamEvent<T>> {
  for (let attempt = 1; ; attempt++) {
    const ended = new AbortController();
    const silence = setTimeout(() => ended.abort(), SILENCE_TIMEOUT_MS);
    let failure: unknown;
    try {
      const response = await fetch(url, {
        headers: { accept: EVENTS, authorization: `Bearer ${await key()}` },
        signal: AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]),
      });
      if (!response.ok || !response.body) throw await errorOf(response);
      for await (const event of eventsOf<T>(response.body, () => silence.refresh())) {
        attempt = 1;
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) throw error;
      failure = error;
    } finally {
      clearTimeout(silence);
      ended.abort();
    }
    if (attempt >= ATTEMPTS && failure !== undefined) throw failure;
    await delay(backoffMs(attempt, RETRIES), undefined, signal && { signal });
  }
}

/** Whether the service refuses the stream for good. Its load balancer may only be restarting it. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
  return status >= 400 && status < 500 && status !== 429;
}

async function* eventsOf<T>(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<StreamEvent<T>> {
  const eventsIn = eventReader();
  for await (const part of body) {
    heard();
    for (const { event, data } of eventsIn(part)) {
      const value = parseJson(data);
      // biome-ignore lint/plugin: the service's own event, of the stream that was requested.
      if (value !== undefined && value !== null) yield { event, data: value as T };
    }
  }
}
