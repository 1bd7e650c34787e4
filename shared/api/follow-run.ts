import { isEnded } from "../contracts/runs/run-outcomes.ts";
import { type RunProgress, runProgress } from "../contracts/runs/runs.ts";
import { parseJson } from "../json.ts";
import { eventReader } from "./event-reader.ts";

const EVENTS = "text/event-stream";
/** A run's stream sends a heartbeat every 15 seconds. */
const SILENCE_TIMEOUT_MS = 50_000;

/** How far a run was followed. A proxy may not support streams, or may cut them. */
export type Followed = "ended" | "cut" | "unavailable";

interface RunStream {
  url: string;
  apiKey: string;
  signal: AbortSignal | undefined;
}

/** Reports a run's progress from its stream, except for its end. @throws the signal's reason */
export async function followRun(
  { url, apiKey, signal }: RunStream,
  onProgress: (progress: RunProgress) => void,
): Promise<Followed> {
  const ended = new AbortController();
  const silence = setTimeout(() => ended.abort(), SILENCE_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: EVENTS, authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]),
    });
    if (!response.ok) return response.status === 429 || response.status >= 500 ? "cut" : "unavailable";
    if (!response.body || !response.headers.get("content-type")?.startsWith(EVENTS)) return "unavailable";
    for await (const progress of readRunEvents(response.body, () => silence.refresh())) {
      if (isEnded(progress.status)) return "ended";
      onProgress(progress);
    }
    return "cut";
  } catch {
    signal?.throwIfAborted();
    return "cut";
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

/**
 * Yields the states of a run from its server-sent events, until the stream ends.
 * @param heard called for each event, also without a state
 * @throws the stream's error, or Error if it is not a stream of events
 */
async function* readRunEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<RunProgress> {
  const eventsIn = eventReader();
  for await (const part of body) {
    heard();
    for (const { data } of eventsIn(part)) {
      const { success, data: progress } = runProgress.safeParse(parseJson(data));
      if (success) yield progress;
    }
  }
}
