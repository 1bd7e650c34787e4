import assert from "node:assert/strict";
import { browserWork } from "../../../bench/profile/browser-work.ts";
import { sharesTable, stepsTable } from "../../../bench/profile/describe-shares.ts";
import { nodeWork } from "../../../bench/profile/node-work.ts";
import type { RecordedCapture, TraceEvent } from "../../../bench/profile/recording.ts";
import { selfTime } from "../../../bench/profile/self-time.ts";
import { SHARES, type Share } from "../../../bench/profile/shares.ts";
import { cover, merge, type Segment, split } from "../../../bench/profile/spans.ts";
import { lanesOf, splitSlots } from "../../../bench/profile/split-slots.ts";

const span = (startUs: number, endUs: number) => ({ startUs, endUs });
const event = (name: string, ts: number, dur: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  name,
  ph: "X",
  ts,
  dur,
  tdur: dur,
  pid: 7,
  tid: 7,
  args: {},
  ...more,
});
const named = (kind: "process" | "thread", name: string, pid: number, tid: number): TraceEvent =>
  event(`${kind}_name`, 0, 0, { ph: "M", pid, tid, args: { name } });

describe("self time", () => {
  it("counts a nested event once, for the innermost", () => {
    const { segments, processorUs } = selfTime(
      [
        { ...span(0, 100), label: null, processorUs: 80 },
        { ...span(10, 60), label: "script", processorUs: 40 },
        { ...span(20, 30), label: "style", processorUs: 10 },
        { ...span(30, 40), label: null, processorUs: 5 },
        { ...span(150, 160), label: "paint", processorUs: 10 },
      ],
      "page",
    );
    assert.deepEqual(segments, [
      { label: "page", ...span(0, 10) },
      { label: "script", ...span(10, 20) },
      { label: "style", ...span(20, 30) },
      { label: "script", ...span(30, 60) },
      { label: "page", ...span(60, 100) },
      { label: "paint", ...span(150, 160) },
    ]);
    assert.deepEqual(Object.fromEntries(processorUs), { style: 10, script: 30, page: 40, paint: 10 });
  });

  it("takes events in any order, and cuts one that ends after what it is in", () => {
    const { segments } = selfTime(
      [
        { ...span(5, 12), label: "b", processorUs: 7 },
        { ...span(0, 10), label: "a", processorUs: 10 },
        { ...span(10, 20), label: "a", processorUs: 10 },
      ],
      "a",
    );
    assert.deepEqual(segments, [
      { label: "a", ...span(0, 5) },
      { label: "b", ...span(5, 10) },
      { label: "a", ...span(10, 20) },
    ]);
  });
});

describe("spans of time", () => {
  it("join where they touch, and split by others", () => {
    assert.deepEqual(merge([span(5, 9), span(0, 3), span(3, 4), span(6, 7)]), [span(0, 4), span(5, 9)]);
    assert.deepEqual(split([span(0, 10), span(20, 30)], [span(2, 4), span(8, 22)]), {
      both: [span(2, 4), span(8, 10), span(20, 22)],
      rest: [span(0, 2), span(4, 8), span(22, 30)],
    });
  });

  it("give each moment to the first layer that has it, and all of them together the whole", () => {
    const shares = cover(
      [span(0, 100)],
      [
        { label: "main", spans: [span(10, 20), span(15, 30)] },
        { label: "request", spans: [span(0, 50), span(40, 60), span(90, 200)] },
      ],
      "waits",
    );
    assert.deepEqual(Object.fromEntries(shares), { main: 20, request: 50, waits: 30 });
  });
});

describe("the work of a browser", () => {
  const events = [
    named("process", "Renderer", 7, 7),
    named("thread", "CrRendererMain", 7, 7),
    named("thread", "Compositor", 7, 8),
    named("process", "Browser", 1, 1),
    named("thread", "CrBrowserMain", 1, 1),
    event("CommitLoad", 5, 1, { args: { data: { frame: "F" } } }),
    event("RunTask", 0, 50),
    event("FunctionCall", 10, 20),
    event("Layout", 15, 5),
    event("RunTask", 40, 20, { tid: 8 }),
    event("RunTask", 0, 10, { pid: 1, tid: 1 }),
    event("RunTask", 60, 40, { pid: 1, tid: 1 }),
    event("ThreadControllerImpl::RunTask", 61, 38, { pid: 1, tid: 1, args: { src_func: "SendResult" } }),
  ];

  it("is told apart by process, thread and event", () => {
    const work = browserWork(events);
    assert.deepEqual(
      work.pages.get(7)?.main.filter(({ label }) => label !== "page"),
      [
        { label: "script", ...span(10, 15) },
        { label: "style", ...span(15, 20) },
        { label: "script", ...span(20, 30) },
      ],
    );
    assert.deepEqual(work.pages.get(7)?.drawing, [{ label: "paint", ...span(40, 60) }]);
    assert.deepEqual(work.main, [
      { label: "browser", ...span(0, 10) },
      { label: "browser", ...span(60, 61) },
      { label: "encode", ...span(61, 99) },
      { label: "browser", ...span(99, 100) },
    ]);
    assert.deepEqual(work.processes.get("F"), [{ pid: 7, fromUs: 5 }]);
    assert.equal(work.processorUs.get("style"), 5);
  });
});

describe("the work of the service's process", () => {
  const frame = (id: number, functionName: string, url: string, children?: number[]) => ({
    id,
    callFrame: { functionName, url },
    ...(children && { children }),
  });

  it("is told by the innermost file that is known, without idle time", () => {
    const segments = nodeWork({
      startTime: 1_000,
      nodes: [
        frame(1, "(root)", "", [2, 3, 4, 5]),
        frame(2, "(idle)", ""),
        frame(3, "forward", "file:///vrs/shared/capture/egress-proxy.ts", [6]),
        frame(4, "parserOnHeadersComplete", "node:_http_common"),
        frame(5, "find", "file:///vrs/services/runs/run.store.ts", [7]),
        frame(6, "write", "node:net"),
        frame(7, "update", "node:internal/crypto/hash"),
      ],
      samples: [2, 6, 4, 2, 5, 7],
      timeDeltas: [10, 10, 10, 10, 10, 10],
    });
    assert.deepEqual(segments, [
      { label: "proxy", ...span(1_020, 1_040) },
      { label: "database", ...span(1_050, 1_060) },
      { label: "hash", ...span(1_060, 1_060) },
    ]);
  });
});

describe("the shares of slot time", () => {
  const captureOf = (frame: string, ...times: [string, number, number][]): RecordedCapture => ({
    url: `http://localhost/${frame}`,
    frame,
    steps: times.map(([step, startUs, endUs]) => ({ step, startUs, endUs })),
    requests: [],
  });
  const on = (label: Share, startUs: number, endUs: number): Segment<Share> => ({ label, startUs, endUs });
  const first = {
    ...captureOf("A", ["load", 100, 200], ["screenshot", 200, 300]),
    requests: [span(100, 150)],
  };
  const second = captureOf("B", ["load", 150, 250]);
  const run = {
    ...span(0, 400),
    slots: 2,
    captures: [second, first],
    node: [on("database", 20, 40), on("proxy", 110, 115), on("driver", 290, 300)],
    browser: {
      pages: new Map([[7, { main: [on("script", 100, 110)], drawing: [on("paint", 140, 160)] }]]),
      display: [on("display", 210, 230)],
      copies: [on("copy", 230, 240)],
      main: [on("encode", 240, 260)],
      processes: new Map([["A", [{ pid: 7, fromUs: 100 }]]]),
      processorUs: new Map<Share, number>(),
    },
  };

  it("sum to the run's time × its slots", () => {
    const shares = splitSlots(run);
    assert.equal(
      [...shares.values()].reduce((sum, us) => sum + us, 0),
      800,
    );
    assert.deepEqual(Object.fromEntries(shares), {
      script: 10,
      // Time that overlaps a request counts as ours.
      proxy: 5,
      site: 25,
      paint: 20,
      // A thread that is busy for one slot keeps the other one waiting, unless that one has no screenshot to
      // capture.
      display: 40,
      copy: 20,
      encode: 30,
      transfer: 10,
      waits: 140,
      database: 40,
      none: 460,
    });
  });

  it("have a lane for each slot, and no more captures at once than slots", () => {
    assert.deepEqual(lanesOf([second, first], 2), [[first], [second]]);
    // A slot without work stays idle, because a route's screenshots follow each other in one slot.
    const third = captureOf("A", ["load", 301, 400]);
    assert.deepEqual(lanesOf([third, second, first], 2), [[first, third], [second]]);
    assert.throws(() => lanesOf([second, first], 1), /at once than there are slots/);
  });

  it("are shown with their sum, each by its name", () => {
    const table = sharesTable(
      new Map<Share, number>([
        ["hash", 250],
        ["site", 750],
      ]),
      new Map([["hash", 100]]),
      2,
    );
    assert.equal(table.rows.length, Object.keys(SHARES).length + 1);
    assert.deepEqual(table.rows[0], { name: SHARES.site, values: [75, 0.375, null] });
    assert.deepEqual(table.rows.at(-1), { name: "all", values: [100, 0.5, 0.05] });
    assert.deepEqual(stepsTable([first, second], 1_000).rows, [
      { name: "load", values: [20, 0.1] },
      { name: "screenshot", values: [10, 0.05] },
    ]);
  });
});
