/**
 * Measures the rate of `GET /v1/runs/:id` through the gateway, compared with an empty moleculer-web action.
 *
 * npm install --prefix bench && node bench/benchmarks/read-run.ts [pairs] [--quick]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import { startSite } from "../../cli/demo/site-server.ts";
import { EMBEDDED } from "../../test/support/databases/databases.ts";
import { Vrs } from "../../test/support/drivers/vrs.ts";
import { compareMeasurements, type Measurement } from "../support/figures.ts";
import { watchingMemory } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { publish } from "../support/publish.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 2 });
const SECONDS = quick ? 1 : 3;
const CONNECTIONS = 40;
/** The project's bar, as a multiple of the other's rate. */
const BAR = 0.5;
const OURS = "GET /v1/runs/:id";
const EMPTY = "an empty moleculer-web action";
const BARE = "an empty action of a broker without settings";

const site = await startSite();
const vrs = await Vrs.start({ SERVICE_RATE_LIMIT: "1000000" }, EMBEDDED);
const empty = emptyAction();
const bareEmpty = emptyAction("bare");
try {
  const [emptyUrl, bareUrl] = await Promise.all([urlOf(empty), urlOf(bareEmpty)]);
  const { id } = await vrs.client().submitRun({ url: site.url.replace("127.0.0.1", "localhost") });
  await vrs.client().waitForRun(id);
  const headers = { authorization: `Bearer ${vrs.key}` };
  const results = await runPairedRounds(
    [
      { name: OURS, measure: () => rate(vrs.pid, `${vrs.baseUrl}/v1/runs/${id}`, headers) },
      { name: EMPTY, measure: () => rate(empty.pid ?? 0, emptyUrl, {}) },
      { name: BARE, measure: () => rate(bareEmpty.pid ?? 0, bareUrl, {}) },
    ],
    { pairs },
  );
  await publish({
    name: "read-run",
    title: "Reading a run through the gateway",
    how: `The benchmark sends requests for ${SECONDS} s over ${CONNECTIONS} connections, and counts them per second. To read the run, which has ended, the service checks the key, the rate limit and the team. It reads the database every two seconds, and caches the run in between. The empty action answers \`{ ok: true }\` without any of this. Its node has the same broker, with retries, bulkheads and tracking. The broker without settings has none of these. The memory of vrs is that of the whole service with its browser. The memory of the other side is that of a process that does nothing else.`,
    quick,
    withBrowser: false,
    comparisons: [
      compareMeasurements(
        {
          title: "requests a second",
          unit: "/s",
          ratioIs: "of its rate",
          bar: { is: "at least", value: BAR },
        },
        results.of(OURS),
        results.of(EMPTY),
      ),
      compareMeasurements(
        { title: "requests a second", unit: "/s", ratioIs: "of its rate" },
        results.of(OURS),
        results.of(BARE),
      ),
    ],
  });
} finally {
  empty.kill();
  bareEmpty.kill();
  await vrs.stop();
  await site.close();
}

function emptyAction(...args: string[]): ChildProcess {
  return fork(new URL("../programs/empty-action.ts", import.meta.url), args, { stdio: "inherit" });
}

async function urlOf(program: ChildProcess): Promise<string> {
  const [port] = await once(program, "message");
  return `http://127.0.0.1:${port}/empty`;
}

async function rate(pid: number, url: string, headers: Record<string, string>): Promise<Measurement> {
  const { result, peakMb } = await watchingMemory(
    () => [pid],
    () => autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS }),
  );
  const { requests, non2xx, errors } = result;
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
  return { value: requests.average, peakMb };
}
