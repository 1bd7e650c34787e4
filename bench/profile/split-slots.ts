import type { BrowserWork } from "./browser-work.ts";
import type { RecordedCapture } from "./recording.ts";
import type { Share } from "./shares.ts";
import { cover, type Layer, layersOf, merge, type Segment, type Span, split, within } from "./spans.ts";

/** Everything that was recorded of a run. */
export interface RunActivity extends Span {
  slots: number;
  captures: readonly RecordedCapture[];
  /** Segments of the service's main thread. */
  node: readonly Segment<Share>[];
  browser: BrowserWork;
}

const ON_MAIN: Share[] = ["script", "style", "decode", "paint", "page"];
const DRAWING: Share[] = ["decode", "paint"];
const NODE: Share[] = ["hash", "images", "database", "proxy", "queue", "transfer", "driver", "node"];
/** What a run needs before its first screenshot and after its last. */
const RUN: Share[] = ["images", "database", "queue"];
const BROWSER: Share[] = ["encode", "browser"];

/**
 * Splits the slots' time, µs by share. Each moment of a slot goes to the first that is busy then. The order is the
 * page's main thread, its drawing threads, the service's own process, a request of the page, and what pages share in
 * the browser. The shares sum to the run's time × its slots.
 */
export function splitSlots(run: RunActivity): Map<Share, number> {
  const total = new Map<Share, number>();
  const add = (shares: Map<Share, number>) => {
    for (const [share, us] of shares) total.set(share, (total.get(share) ?? 0) + us);
  };
  for (const lane of lanesOf(run.captures, run.slots)) {
    for (const capture of lane) {
      const page = pageOf(run.browser, capture);
      for (const step of within(capture.steps, run))
        add(cover([step], stepLayers(run, page, capture, step), "waits"));
    }
    const busy = merge(lane.flatMap(({ steps }) => within(steps, run)));
    const used = { startUs: busy[0]?.startUs ?? run.endUs, endUs: busy.at(-1)?.endUs ?? run.endUs };
    for (const gap of split([run], busy).rest) {
      const isInside = gap.startUs >= used.startUs && gap.endUs <= used.endUs;
      add(cover([gap], gapLayers(run, gap, isInside), isInside ? "between" : "none"));
    }
  }
  return total;
}

/** Puts captures into lanes, one per slot. A capture goes to the lane whose last capture ended latest before it. */
export function lanesOf(captures: readonly RecordedCapture[], slots: number): RecordedCapture[][] {
  const lanes = Array.from({ length: slots }, () => ({ endUs: 0, captures: Array.of<RecordedCapture>() }));
  const startOf = ({ steps }: RecordedCapture) => steps[0]?.startUs ?? 0;
  for (const capture of captures.toSorted((a, b) => startOf(a) - startOf(b))) {
    const free = lanes.filter(({ endUs }) => endUs <= startOf(capture));
    const last = free.toSorted((a, b) => b.endUs - a.endUs)[0];
    if (last === undefined) throw new Error("More screenshots were captured at once than there are slots.");
    last.captures.push(capture);
    last.endUs = capture.steps.at(-1)?.endUs ?? last.endUs;
  }
  return lanes.map(lane => lane.captures);
}

function stepLayers(
  { node, browser }: RunActivity,
  page: { main: Segment<Share>[]; drawing: Segment<Share>[] },
  capture: RecordedCapture,
  step: RecordedCapture["steps"][number],
): Layer<Share>[] {
  const own = [
    ...layersOf(within(page.main, step), ON_MAIN),
    ...layersOf(within(page.drawing, step), DRAWING),
  ];
  const shared = [
    ...layersOf(within(browser.display, step), ["display"]),
    ...layersOf(within(browser.copies, step), ["copy"]),
    ...layersOf(within(browser.main, step), BROWSER),
  ];
  const service = layersOf(within(node, step), NODE);
  if (step.step === "screenshot") {
    // Loading is over, and the driver only receives the image.
    const receiving = service.map(
      (layer): Layer<Share> => (layer.label === "driver" ? { ...layer, label: "transfer" } : layer),
    );
    return [...own, ...shared.filter(({ label }) => label !== "browser"), ...receiving, ...shared];
  }
  return [...own, ...service, { label: "site", spans: capture.requests }, ...shared];
}

/**
 * @param isInside whether the slot had a screenshot before and after it; otherwise the browser works for the other slot
 */
function gapLayers({ node, browser }: RunActivity, gap: Span, isInside: boolean): Layer<Share>[] {
  const service = layersOf(within(node, gap), isInside ? NODE : RUN);
  return isInside ? [...service, ...layersOf(within(browser.main, gap), BROWSER)] : service;
}

/** Returns the threads of the process that a page was in when its capture ended. */
function pageOf(
  browser: BrowserWork,
  { frame, steps }: RecordedCapture,
): { main: Segment<Share>[]; drawing: Segment<Share>[] } {
  const endUs = steps.at(-1)?.endUs ?? 0;
  const process = browser.processes.get(frame)?.findLast(({ fromUs }) => fromUs <= endUs);
  return browser.pages.get(process?.pid ?? 0) ?? { main: [], drawing: [] };
}
