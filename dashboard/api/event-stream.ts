import { eventReader } from "../../shared/api/event-reader.ts";
import { type Backoff, backoffMs } from "../../shared/backoff.ts";
import { ApiProblem, sendRequest } from "./request.ts";

/** Each pause before a retry is twice the one before. */
const RETRIES: Backoff = { firstMs: 1_000, longestMs: 30_000, jitter: 0.5 };
/** A stream that lasted this long resets the backoff. */
const LASTED_MS = 10_000;
/** The service sends something every 15 s, so a longer silence means a lost connection. */
const SILENCE_TIMEOUT_MS = 40_000;

interface StreamEvent {
  name: string;
  data: string;
}

export interface StreamListener {
  /** Path relative to the service's address. */
  path: string;
  onEvent: (event: StreamEvent) => void;
  /** Called when the stream is open. All later events arrive. */
  onOpened: () => void;
  /** Called when the stream breaks. Events may be lost until it is open again. */
  onBroken: () => void;
  /** Maximum time without data, from the request on. */
  silenceTimeoutMs?: number;
}

/**
 * Follows a stream of server-sent events, and reopens it after it breaks. EventSource doesn't report why a
 * stream was refused, so it isn't used. Resolves when the signal aborts, or when the reader has no access to
 * the stream.
 */
export async function followStream(listener: StreamListener, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const began = Date.now();
    const isOurs = await followOnce(listener, signal);
    if (signal.aborted) return;
    listener.onBroken();
    if (!isOurs) return;
    if (Date.now() - began > LASTED_MS) failures = 0;
    await pause(pauseMs(failures, Math.random()), signal);
  }
}

/**
 * Returns the pause before the next attempt. @param random 0–1, so that clients don't all reconnect at once
 * after a restart
 */
export function pauseMs(failures: number, random: number): number {
  return backoffMs(failures + 1, RETRIES, random);
}

/** @returns whether a retry makes sense */
async function followOnce(
  { path, onEvent, onOpened, silenceTimeoutMs = SILENCE_TIMEOUT_MS }: StreamListener,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { body, headers } = await openStream(path, signal, silenceTimeoutMs);
    if (!body) return false;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream");
    // Otherwise it is an error page of a proxy.
    if (!isStream) await body.cancel();
    else for await (const event of readEvents(body, onOpened, silenceTimeoutMs)) onEvent(event);
  } catch (error) {
    return !(error instanceof ApiProblem && error.status >= 400 && error.status < 429);
  }
  return true;
}

/** Opens the stream. @throws also if no response starts in time; only the start is bounded */
async function openStream(path: string, signal: AbortSignal, withinMs: number): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), withinMs);
  try {
    const ends = AbortSignal.any([signal, late.signal]);
    return await sendRequest(path, { signal: ends, accept: "text/event-stream", withinMs: null });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Yields the events of a stream until it ends or falls silent.
 * @param opened called at the first event: a proxy may pass on headers and hold back the rest
 */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onOpened: () => void,
  silenceTimeoutMs: number,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const eventsIn = eventReader();
  let isOpen = false;
  try {
    for (;;) {
      const { done, value } = await readWithTimeout(reader, silenceTimeoutMs);
      if (done || !value) return;
      if (!isOpen) onOpened();
      isOpen = true;
      for (const { event, data } of eventsIn(value)) if (event !== undefined) yield { name: event, data };
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readWithTimeout(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceTimeoutMs: number,
): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => resolve({ done: true }), silenceTimeoutMs);
    reader
      .read()
      .then(resolve, reject)
      .finally(() => clearTimeout(silence));
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
