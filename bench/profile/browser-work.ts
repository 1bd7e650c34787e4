import type { TraceEvent } from "./recording.ts";
import { type SelfTime, selfTime, type ThreadEvent } from "./self-time.ts";
import type { Share } from "./shares.ts";
import type { Segment } from "./spans.ts";

/** What a browser's threads did. */
export interface BrowserWork {
  /** By page process: its main thread, and all of its other threads that draw. */
  pages: Map<number, { main: Segment<Share>[]; drawing: Segment<Share>[] }>;
  /** The processes that all pages share. */
  display: Segment<Share>[];
  copies: Segment<Share>[];
  main: Segment<Share>[];
  /** The processes of a page, by the id of its main frame, with the moment it got there. */
  processes: Map<string, { pid: number; fromUs: number }[]>;
  /** Processor time by share, µs. */
  processorUs: Map<Share, number>;
}

const SCRIPT =
  /^(FunctionCall|EvaluateScript|EvaluateModule|TimerFire|FireAnimationFrame|FireIdleCallback|RunMicrotasks|EventDispatch|XHR.*|M(aj|in)orGC|V8\..*|v8\..*)$/;
const STYLE =
  /^(Layout|UpdateLayoutTree|RecalculateStyles|ParseAuthorStyleSheet|HitTest|.*IntersectionObserver.*)$/;
const PAINT =
  /^(PrePaint|Paint|Layerize|Commit|UpdateLayer|CompositeLayers|ScrollLayer|UpdateLayerTree|RasterTask)$/;
const DECODE = /^(ImageDecodeTask|Decode Image|Decode LazyPixelRef|Draw LazyPixelRef)$/;
/** The function that posted the task that encodes a screenshot, in the browser process. */
const COPIED = "SendResult";

/** Tasks of threads, in the two ways in which Chromium runs them. */
const TASK = /^(RunTask|ThreadPool_RunTask)$/;

/** Returns whether a trace event has its own meaning, not only a part of its task. */
export function hasOwnMeaning({ ph, name, args }: TraceEvent): boolean {
  if (ph === "M" || args.src_func === COPIED || name === "CommitLoad") return true;
  return [TASK, SCRIPT, STYLE, PAINT, DECODE].some(kind => kind.test(name));
}

/** Reads a browser's trace. */
export function browserWork(events: readonly TraceEvent[]): BrowserWork {
  const names = namesOf(events);
  const work: BrowserWork = {
    pages: new Map(),
    display: [],
    copies: [],
    main: [],
    processes: processesOf(events),
    processorUs: new Map(),
  };
  const threads = Map.groupBy(
    events.filter(({ ph }) => ph === "X"),
    ({ pid, tid }) => `${pid} ${tid}`,
  );
  for (const [key, own] of threads) {
    const pid = own[0]?.pid ?? 0;
    const spent = addThread(work, pid, `${names.get(String(pid))} ${names.get(key)}`, own);
    for (const [label, us] of spent) work.processorUs.set(label, (work.processorUs.get(label) ?? 0) + us);
  }
  return work;
}

/** Returns the processor time by share, µs; none for threads that only carry messages. */
function addThread(
  work: BrowserWork,
  pid: number,
  name: string,
  events: TraceEvent[],
): SelfTime<Share>["processorUs"] {
  const take = (labelOf: (event: TraceEvent) => Share | null, otherwise: Share, to: Segment<Share>[]) => {
    const labelled = events.map(event => threadEvent(event, labelOf(event)));
    const { segments, processorUs } = selfTime(labelled, otherwise);
    for (const segment of segments) to.push(segment);
    return processorUs;
  };
  const page = work.pages.get(pid) ?? { main: [], drawing: [] };
  if (name.startsWith("Renderer ")) work.pages.set(pid, page);
  if (name === "Renderer CrRendererMain") return take(labelOnMain, "page", page.main);
  if (name === "Renderer Compositor") return take(() => null, "paint", page.drawing);
  if (name.startsWith("Renderer ThreadPool")) return take(labelInPool, "page", page.drawing);
  if (name === "GPU Process VizCompositorThread" || name === "GPU Process CrGpuMain")
    return take(() => null, "display", work.display);
  if (name.startsWith("GPU Process ThreadPool")) return take(() => null, "copy", work.copies);
  if (name === "Browser CrBrowserMain")
    return take(({ args }) => (args.src_func === COPIED ? "encode" : null), "browser", work.main);
  return new Map();
}

function threadEvent({ ts, dur = 0, tdur = 0 }: TraceEvent, label: Share | null): ThreadEvent<Share> {
  return { startUs: ts, endUs: ts + dur, label, processorUs: tdur };
}

function labelOnMain({ name }: TraceEvent): Share | null {
  if (STYLE.test(name)) return "style";
  if (SCRIPT.test(name)) return "script";
  return labelInPool({ name });
}

function labelInPool({ name }: Pick<TraceEvent, "name">): Share | null {
  if (PAINT.test(name)) return "paint";
  return DECODE.test(name) ? "decode" : null;
}

/** Returns the names of processes by id, and of threads by both ids. */
function namesOf(events: readonly TraceEvent[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { ph, name, pid, tid, args } of events) {
    if (ph !== "M") continue;
    if (name === "process_name") names.set(String(pid), String(args.name));
    if (name === "thread_name") names.set(`${pid} ${tid}`, String(args.name));
  }
  return names;
}

function processesOf(events: readonly TraceEvent[]): BrowserWork["processes"] {
  const processes: BrowserWork["processes"] = new Map();
  for (const { name, args, pid, ts } of events) {
    if (name !== "CommitLoad") continue;
    const { data } = args;
    const frame = typeof data === "object" && data !== null ? Reflect.get(data, "frame") : null;
    if (typeof frame !== "string") continue;
    const known = processes.get(frame) ?? [];
    if (known.at(-1)?.pid !== pid) known.push({ pid, fromUs: ts });
    processes.set(frame, known);
  }
  return processes;
}
