import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Browser, CDPSession } from "playwright";
import { type TraceEvent, traceEvent } from "./recording.ts";

/** Tasks of all threads, and in them scripts, style, layout, paint, raster, and the display's work. */
const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];

/** Records a trace of all processes of a browser. */
export class BrowserTrace {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async start(browser: Browser): Promise<BrowserTrace> {
    const session = await browser.newBrowserCDPSession();
    await session.send("Tracing.start", {
      transferMode: "ReturnAsStream",
      traceConfig: {
        recordMode: "recordUntilFull",
        traceBufferSizeInKb: 1_024 * 1_024,
        includedCategories: CATEGORIES,
        excludedCategories: ["*"],
      },
    });
    return new BrowserTrace(session);
  }

  /** Ends the trace and writes it to a file. @throws Error when the trace lost events */
  async end(file: string): Promise<void> {
    const completed = new Promise<{ stream?: string; dataLossOccurred: boolean }>(resolve =>
      this.#session.once("Tracing.tracingComplete", resolve),
    );
    await this.#session.send("Tracing.end");
    const { stream, dataLossOccurred } = await completed;
    if (stream === undefined || dataLossOccurred)
      throw new Error("The trace lost events: capture fewer pages.");
    const out = createWriteStream(file);
    for (;;) {
      const { data, eof, base64Encoded } = await this.#session.send("IO.read", {
        handle: stream,
        size: 8 * 1024 * 1024,
      });
      if (!out.write(Buffer.from(data, base64Encoded ? "base64" : "utf8"))) await once(out, "drain");
      if (eof) break;
    }
    await this.#session.send("IO.close", { handle: stream });
    out.end();
    await once(out, "finish");
    await this.#session.detach();
  }
}

/**
 * Reads the needed events of a trace, and the names of its threads. Chromium writes one event per line. All lines
 * together exceed the maximum length of a string.
 */
export async function readTrace(
  file: string,
  isNeeded: (event: TraceEvent) => boolean,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!/"ph":"(X|M)"/.test(line)) continue;
    const start = line.startsWith('{"traceEvents":[') ? '{"traceEvents":['.length : 0;
    const parsed = traceEvent.safeParse(JSON.parse(line.slice(start).replace(/[\],]+$/, "")));
    if (parsed.success && isNeeded(parsed.data)) events.push(parsed.data);
  }
  return events;
}
