/**
 * The rate of `GET /v1/runs/:id` through the gateway, beside an empty moleculer-web action. Rounds alternate; medians.
 *
 *   npm install --prefix bench && node bench/read-run.ts [rounds]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import { startSite } from "../cli/demo/site-server.ts";
import { Vrs } from "../test/support/vrs.ts";
import { median, megabytesOf } from "./figures.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = 3;
/** The project's bar. */
const BAR = 0.5;

const site = await startSite();
const vrs = await Vrs.start({ SERVICE_RATE_LIMIT: "1000000" });
const empty = fork(new URL("./empty-action.ts", import.meta.url), { stdio: "inherit" });
try {
  const [port] = await once(empty, "message");
  const { id } = await vrs.client().submitRun({ url: site.url.replace("127.0.0.1", "localhost") });
  await vrs.client().waitForRun(id);
  const rates: { run: number; empty: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = {
      empty: await rate(`http://127.0.0.1:${port}/empty`),
      run: await rate(`http://127.0.0.1:${vrs.port}/v1/runs/${id}`, { authorization: `Bearer ${vrs.key}` }),
    };
    // The first round warms both up.
    if (round > 0) rates.push(measured);
  }
  const of = (name: "run" | "empty") => median(rates.map(rate => rate[name])).toFixed(0);
  const ratio = median(rates.map(({ run, empty }) => run / empty));
  console.log(`GET /v1/runs/:id, ${ROUNDS} rounds of ${SECONDS} s`);
  console.log(`  ${of("run")}/s · empty action ${of("empty")}/s · ratio ${ratio.toFixed(2)} (bar ${BAR})`);
  console.log(`  resident: ${megabytesOf(vrs.pid).own} MB`);
} finally {
  empty.kill();
  await vrs.stop();
  await site.close();
}

async function rate(url: string, headers: Record<string, string> = {}): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections: 40, duration: SECONDS });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
  return requests.average;
}
