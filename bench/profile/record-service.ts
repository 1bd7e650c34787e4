/**
 * Recorder that is loaded into the service's process first (`--import`). It responds to `/start` and `/stop` on the
 * port PROFILE_PORT. In between, it records the steps of every capture, the process's CPU profile, and the browser's
 * trace. It wraps the engine's methods from outside, so that the product has no code for it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import dns from "node:dns";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type Profiler, Session } from "node:inspector/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { type Browser, chromium, type Page, type Request } from "playwright";
import { Lease } from "../../shared/capture/browser/lease.ts";
import { Timings } from "../../shared/capture/page/state-captures.ts";
import { BrowserTrace } from "./browser-trace.ts";
import type { RecordedCapture, Recording } from "./recording.ts";

/** A shorter interval would slow down what it measures. */
const SAMPLE_INTERVAL_US = 500;

const browsers = new Set<Browser>();
const steps = new WeakMap<Timings, RecordedCapture>();
const current = new AsyncLocalStorage<RecordedCapture>();
const watched = new WeakSet<Page>();
/** The current capture of each page. */
const ofPage = new WeakMap<Page, RecordedCapture>();
let captures: RecordedCapture[] = [];

if (isMainThread && process.env.PROFILE_PORT) {
  resolveOnlyLocalhost();
  recordBrowsers();
  recordSteps();
  recordPages();
  serve(Number(process.env.PROFILE_PORT), process.env.PROFILE_FOLDER ?? ".");
}

function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}

/** Makes requests of pages to other hosts fail at once, also on a machine with a network. */
function resolveOnlyLocalhost(): void {
  const lookup = dns.promises.lookup;
  const local = (host: string, ...rest: []) =>
    host === "localhost"
      ? lookup(host, ...rest)
      : Promise.reject(Object.assign(new Error(`${host} is not local`), { code: "ENOTFOUND" }));
  Object.assign(dns.promises, { lookup: local });
  syncBuiltinESMExports();
}

function recordBrowsers(): void {
  const launch = chromium.launch.bind(chromium);
  chromium.launch = async options => {
    const browser = await launch(options);
    browsers.add(browser);
    browser.once("disconnected", () => browsers.delete(browser));
    return browser;
  };
}

function recordSteps(): void {
  Timings.prototype.of = async function <T>(this: Timings, step: string, work: () => Promise<T>): Promise<T> {
    const capture = steps.get(this) ?? { url: "", frame: "", steps: [], requests: [] };
    if (!steps.has(this)) {
      steps.set(this, capture);
      captures.push(capture);
    }
    const startUs = nowUs();
    try {
      return await current.run(capture, () => work());
    } finally {
      capture.steps.push({ step, startUs, endUs: nowUs() });
    }
  };
}

function recordPages(): void {
  const { prepare } = Lease.prototype;
  Lease.prototype.prepare = async function (request) {
    const capture = current.getStore();
    if (capture !== undefined) {
      capture.url = request.url;
      ofPage.set(this.page, capture);
      watchRequests(this.page);
      const session = await this.page.context().newCDPSession(this.page);
      const { frameTree } = await session.send("Page.getFrameTree");
      await session.detach();
      capture.frame = frameTree.frame.id;
    }
    await prepare.call(this, request);
  };
}

function watchRequests(page: Page): void {
  if (watched.has(page)) return;
  watched.add(page);
  const startTimes = new Map<Request, number>();
  const end = (request: Request) => {
    const startUs = startTimes.get(request);
    if (startUs !== undefined) ofPage.get(page)?.requests.push({ startUs, endUs: nowUs() });
    startTimes.delete(request);
  };
  page.on("request", request => startTimes.set(request, nowUs()));
  page.on("requestfinished", end).on("requestfailed", end);
}

function serve(port: number, folder: string): void {
  const session = new Session();
  session.connect();
  let traces: BrowserTrace[] = [];
  const start = async () => {
    captures = [];
    traces = await Promise.all([...browsers].map(browser => BrowserTrace.start(browser)));
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_INTERVAL_US });
    await session.post("Profiler.start");
  };
  const stop = async () => {
    const { profile } = await session.post("Profiler.stop");
    await Promise.all(traces.map((trace, index) => trace.end(join(folder, `trace-${index}.json`))));
    await writeFile(join(folder, "recording.json"), JSON.stringify({ captures, profile: trimmed(profile) }));
    return traces.length;
  };
  createServer(async (request, response) => {
    try {
      response.end(JSON.stringify((await (request.url === "/start" ? start() : stop())) ?? 0));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  })
    .listen(port, "127.0.0.1")
    .unref();
}

function trimmed({ startTime, nodes, samples, timeDeltas }: Profiler.Profile): Recording["profile"] {
  return {
    startTime,
    nodes: nodes.map(({ id, callFrame: { functionName, url }, children }) => ({
      id,
      callFrame: { functionName, url },
      ...(children && { children }),
    })),
    samples: samples ?? [],
    timeDeltas: timeDeltas ?? [],
  };
}
