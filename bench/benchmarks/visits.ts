/**
 * Compares what states and environments of a page cost with separate pages, on a page of a third-party npm package.
 *
 * node bench/benchmarks/visits.ts [pairs] [--quick]
 */
import { captureVisit } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError, type VisitRequest } from "../../shared/capture/capture-types.ts";
import { type Step, statesOf } from "../../shared/contracts/capture/steps.ts";
import { openLocalPool } from "../real-pages/corpus/local-only.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { compareMeasurements, type Measurement } from "../support/figures.ts";
import { timed } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";

const { pairs, quick } = readOptions({ pairs: 9, quickPairs: 2 });
const PAGE = "sb-admin-2/index.html";

/** Opens each menu of the page's bar, and the dialog that the last one leads to. */
const STEPS: Step[] = [
  { action: "screenshot" },
  { action: "click", selector: "#alertsDropdown" },
  { action: "screenshot", name: "alerts" },
  { action: "click", selector: "#messagesDropdown" },
  { action: "screenshot", name: "messages" },
  { action: "click", selector: "#userDropdown" },
  { action: "screenshot", name: "user menu" },
  { action: "click", selector: ".dropdown-menu.show >> text=Logout" },
  { action: "screenshot", name: "dialog" },
];

const ENVIRONMENTS: NonNullable<VisitRequest["environment"]>[] = [
  {},
  { colorScheme: "dark" },
  { media: "print" },
  { locale: "de-DE", timezone: "Europe/Berlin" },
];

/** Steps of a visit that are the load, which all states share. */
const LOAD = new Set(["prepare", "load", "response"]);

const server = await serveCorpus();
const pool = openLocalPool();
const baselines = new Map<string, string>();

/** Captures a page against its unchanged baselines. @returns milliseconds of the visit without its load */
async function visit(url: string, request: Partial<VisitRequest>, name: string): Promise<number> {
  const states = statesOf(request.options?.steps).map(state => {
    return { state, baselineHash: baselines.get(`${name} ${state}`) ?? null };
  });
  const whole = { url, viewport: 1280, options: {}, ...request, states };
  const captured = await captureVisit(pool, "visits", whole, new AbortController().signal);
  let ms = 0;
  for (const [index, one] of (captured ?? []).entries()) {
    if (one instanceof CaptureError) throw one;
    const key = `${name} ${states[index]?.state}`;
    if (baselines.has(key) && one.attempts > 1) throw new Error(`${key} needed ${one.attempts} attempts.`);
    baselines.set(key, one.hash);
    for (const [step, stepMs] of Object.entries(one.timings)) if (!LOAD.has(step)) ms += stepMs;
  }
  return ms;
}

const alone = (value: number): Measurement => ({ value, peakMb: null });
const url = `${server.url}/${PAGE}`;

const perState = await runPairedRounds(
  [
    {
      name: "one of five states",
      measure: async () => alone((await visit(url, { options: { steps: STEPS } }, "states")) / 5),
    },
    { name: "the page alone", measure: async () => alone(await visit(url, {}, "alone")) },
  ],
  { pairs },
);

const perPage = await runPairedRounds(
  [
    {
      name: "four environments of a page",
      measure: async () =>
        alone(
          await timed(async () => {
            for (const [index, environment] of ENVIRONMENTS.entries())
              await visit(url, { environment }, `environment ${index}`);
          }),
        ),
    },
    {
      name: "four pages",
      measure: async () =>
        alone(
          await timed(async () => {
            for (const index of ENVIRONMENTS.keys()) await visit(`${url}?page=${index}`, {}, `page ${index}`);
          }),
        ),
    },
  ],
  { pairs },
);

await pool.close();
server.close();
await publish({
  name: "visits",
  title: "States and environments",
  how: `The page is ${PAGE} of the packages in bench/real-pages, against unchanged baselines. A state's time is the visit's time without preparing and loading the page, by the number of states. The environments are the default one, dark, print and German, one after the other.`,
  quick,
  withBrowser: true,
  comparisons: [
    compareMeasurements(
      {
        title: "a state, less the load",
        unit: "ms",
        ratioIs: "of its time",
        bar: { is: "at most", value: 1.5 },
      },
      perState.of("one of five states"),
      perState.of("the page alone"),
    ),
    compareMeasurements(
      { title: "environments", unit: "ms", ratioIs: "of its time", bar: { is: "at most", value: 0.9 } },
      perPage.of("four environments of a page"),
      perPage.of("four pages"),
    ),
  ],
});
