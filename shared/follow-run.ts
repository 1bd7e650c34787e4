import { isEnded } from "./contracts/runs/run-outcomes.ts";
import { type RunProgress, runProgress } from "./contracts/runs/runs.ts";
import { eventReader } from "./event-reader.ts";
import { parseJson } from "./json.ts";

const EVENTS = "text/event-stream";
/** A run's stream says every 15 seconds that it is there still. */
const SILENT_AT_MOST_MS = 50_000;

/** How far a run was followed: a proxy may know no streams, or cut them. */
export type Followed = "to its end" | "cut" | "not there";

interface RunStream {
  url: string;
  apiKey: string;
  signal: AbortSignal | undefined;
}

/** Tells of a run as its stream does, but for its end. @throws what the signal is aborted with */
export async function followRun(
  { url, apiKey, signal }: RunStream,
  onProgress: (progress: RunProgress) => void,
): Promise<Followed> {
  const over = new AbortController();
  const silence = setTimeout(() => over.abort(), SILENT_AT_MOST_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: EVENTS, authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.any([over.signal, ...(signal ? [signal] : [])]),
    });
    if (!response.ok) return response.status === 429 || response.status >= 500 ? "cut" : "not there";
    if (!response.body || !response.headers.get("content-type")?.startsWith(EVENTS)) return "not there";
    for await (const progress of readRunEvents(response.body, () => silence.refresh())) {
      if (isEnded(progress.status)) return "to its end";
      onProgress(progress);
    }
    return "cut";
  } catch {
    signal?.throwIfAborted();
    return "cut";
  } finally {
    clearTimeout(silence);
    over.abort();
  }
}

/**
 * The states that a run's server-sent events tell, to the end of the stream.
 * @param heard is called for each sign of life, also for one that tells nothing
 * @throws what the stream fails with; Error for one that is no stream of events
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
