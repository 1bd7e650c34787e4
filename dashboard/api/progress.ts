import type { RunProgress } from "../../shared/contracts/http.ts";
import { ApiProblem, ask, chosenTeam } from "./request.ts";

/** Between two tries; a service that is restarted is there again by then. */
const AGAIN_MS = 2_000;
/** The service lets something be heard every 15 s: a stream that says nothing for longer is a connection that is gone. */
const SILENT_MS = 40_000;

interface Listener {
  tell: (progress: RunProgress) => void;
  /** The stream is open: from now on everything is told. */
  opened: () => void;
  /** Something may have been missed, until it is open again. */
  broke: () => void;
}

/**
 * Follows a run, and after its end what is said of it: by its event stream, opened again whenever it breaks. Not with
 * EventSource, which says nothing of why it was refused. Resolves when the signal aborts or the run may not be seen.
 */
export async function followRun(
  id: string,
  signal: AbortSignal,
  { tell, opened, broke }: Listener,
): Promise<void> {
  while (!signal.aborted) {
    const isOurs = await followOnce(id, signal, tell, opened);
    if (signal.aborted) return;
    broke();
    if (!isOurs) return;
    await pause(signal);
  }
}

/** @returns whether it is worth another try */
async function followOnce(
  id: string,
  signal: AbortSignal,
  tell: Listener["tell"],
  opened: Listener["opened"],
): Promise<boolean> {
  try {
    const path = `v1/runs/${encodeURIComponent(id)}/events?${queryOf(chosenTeam())}`;
    const { body } = await ask(path, { signal, accept: "text/event-stream" });
    if (!body) return false;
    opened();
    for await (const progress of readEvents(body)) tell(progress);
  } catch (error) {
    return !(error instanceof ApiProblem && error.status >= 400 && error.status < 429);
  }
  return true;
}

/** Names the team to who is in several, as for anybody who follows a run without headers. */
const queryOf = (team: string | null) =>
  new URLSearchParams({ reviews: "1", ...(team !== null && { team }) });

/** The `progress` events of a stream, until it ends or falls silent. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunProgress> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await readUnlessSilent(reader);
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = progressIn(event);
        if (data) yield data;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readUnlessSilent(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => resolve({ done: true }), SILENT_MS);
    reader
      .read()
      .then(resolve, reject)
      .finally(() => clearTimeout(silence));
  });
}

/** What one event tells; null for a comment, and for what is none of ours. */
export function progressIn(event: string): RunProgress | null {
  const lines = event.split("\n");
  if (!lines.includes("event: progress")) return null;
  const data = lines.find(line => line.startsWith("data: "));
  return data ? JSON.parse(data.slice("data: ".length)) : null;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, AGAIN_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
