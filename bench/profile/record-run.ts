import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { EMBEDDED } from "../../test/support/databases/databases.ts";
import { freePort } from "../../test/support/drivers/free-port.ts";
import { Vrs } from "../../test/support/drivers/vrs.ts";
import { WIDTHS } from "../real-pages/corpus/plan-captures.ts";
import { CONCURRENCY } from "../real-pages/share-work.ts";
import { readTrace } from "./browser-trace.ts";
import { hasOwnMeaning } from "./browser-work.ts";
import { type Recording, recording, type TraceEvent } from "./recording.ts";
import type { Span } from "./spans.ts";

/** A recorded warm run, and the same run without a recording. */
export interface RecordedRun {
  recording: Recording;
  events: TraceEvent[];
  /** From POST /v1/run until the run completes, on the recording's clock. */
  time: Span;
  plainMs: number;
}

const RECORDER = new URL("./record-service.ts", import.meta.url).href;

/**
 * Runs the service over pages until it has baselines, then once without and once with the recorder.
 * @param folder receives the recording
 * @throws Error when a run does not complete
 */
export async function recordRun(
  site: string,
  pages: readonly string[],
  folder: string,
): Promise<RecordedRun> {
  const port = await freePort();
  const vrs = await Vrs.start(
    {
      RENDER_CONCURRENCY: String(CONCURRENCY),
      NODE_OPTIONS: `--import=${RECORDER}`,
      PROFILE_PORT: String(port),
      PROFILE_FOLDER: folder,
    },
    EMBEDDED,
  );
  try {
    const first = await run(vrs, site, pages);
    await vrs.client().approve(first.id);
    const plain = await run(vrs, site, pages);
    await sendToRecorder(port, "start");
    const { time } = await run(vrs, site, pages);
    await sendToRecorder(port, "stop");
    return {
      ...(await readRecording(folder)),
      time,
      plainMs: (plain.time.endUs - plain.time.startUs) / 1_000,
    };
  } finally {
    await vrs.stop();
  }
}

async function run(vrs: Vrs, site: string, pages: readonly string[]): Promise<{ id: string; time: Span }> {
  const startUs = nowUs();
  const { id } = await vrs.client().submitRun({
    url: site,
    routes: pages.map(page => `/${page}`),
    viewports: WIDTHS,
    project: "bench",
  });
  // The stream ends with the run.
  const events = await (await vrs.request(`/v1/runs/${id}/events`)).text();
  if (!/"status":"completed"/.test(events))
    throw new Error(`The run did not complete: ${events.slice(-500)}`);
  return { id, time: { startUs, endUs: nowUs() } };
}

function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}

async function sendToRecorder(port: number, what: "start" | "stop"): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/${what}`);
  if (!response.ok) throw new Error(`The recorder failed: ${await response.text()}`);
}

async function readRecording(folder: string): Promise<Pick<RecordedRun, "recording" | "events">> {
  const traces = (await readdir(folder)).filter(file => file.startsWith("trace-"));
  const events = await Promise.all(traces.map(file => readTrace(join(folder, file), hasOwnMeaning)));
  const text = await readFile(join(folder, "recording.json"), "utf8");
  return { recording: recording.parse(JSON.parse(text)), events: events.flat() };
}
