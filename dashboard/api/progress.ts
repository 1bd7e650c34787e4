import type { RunProgress } from "../../shared/contracts/http.ts";
import { ApiProblem, ask, chosenTeam } from "./request.ts";

/** Between two tries; a service that is restarted is there again by then. */
const AGAIN_MS = 2_000;

/**
 * Follows a run to its end: by its event stream, opened again whenever it breaks. Not with EventSource, which
 * says nothing of why it was refused. Resolves when the run has ended, the signal aborts, or the run may not be seen.
 */
export async function followRun(
  id: string,
  signal: AbortSignal,
  tell: (progress: RunProgress) => void,
): Promise<void> {
  let ended = false;
  while (!ended && !signal.aborted) {
    try {
      const path = `v1/runs/${encodeURIComponent(id)}/events${ofTeam(chosenTeam())}`;
      const { body } = await ask(path, { signal, accept: "text/event-stream" });
      if (!body) return;
      for await (const progress of readEvents(body)) {
        tell(progress);
        ended = ["completed", "failed", "canceled"].includes(progress.status);
      }
    } catch (error) {
      if (error instanceof ApiProblem && error.status >= 400 && error.status < 429) return;
    }
    if (!ended) await pause(signal);
  }
}

/** Names the team to who is in several, as for anybody who follows a run without headers. */
const ofTeam = (team: string | null) => (team === null ? "" : `?${new URLSearchParams({ team })}`);

/** The `progress` events of a stream, until it ends. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunProgress> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
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
