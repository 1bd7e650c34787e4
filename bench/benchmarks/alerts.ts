/**
 * Sends 500 alerts of 500 monitors to a receiver that responds after 2 s. It measures alerts per second and memory.
 *
 * node bench/benchmarks/alerts.ts [rounds] [--quick]
 */
import { setTimeout as delay } from "node:timers/promises";
import { AlertsTestContext, changedPages } from "../../test/support/contexts/alerts-context.ts";
import { DATABASES } from "../../test/support/databases/databases.ts";
import { HttpReceiver } from "../../test/support/servers/http/http-receiver.ts";
import { type Measurement, measureOf } from "../support/figures.ts";
import { timed, watchingMemory } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { publish } from "../support/publish.ts";

const { pairs: rounds, quick } = readOptions({ pairs: 5, quickPairs: 1 });
const ALERTS = quick ? 50 : 500;
const RESPONSE_DELAY_MS = 2_000;
const LEFT = "select count(*)::int as count from alerts.notification where status = 'queued'";

const [embedded] = DATABASES;
if (!embedded) throw new Error("There is no embedded database.");
const database = await embedded.make();
const receiver = await HttpReceiver.start();
receiver.answers = [{ waitMs: RESPONSE_DELAY_MS }];
const context = await AlertsTestContext.start(database.env);
try {
  const decided: Measurement[] = [];
  const delivered: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { result, peakMb } = await watchingMemory(
      () => [process.pid],
      () => sendAlerts(round),
    );
    decided.push({ value: result.decided, peakMb: null });
    delivered.push({ value: result.delivered, peakMb });
  }
  const ids = new Set(receiver.received.map(({ headers }) => headers["vrs-delivery"]));
  if (ids.size !== ALERTS * rounds || receiver.received.length !== ids.size)
    throw new Error(`${ids.size} alerts came in ${receiver.received.length} requests`);
  await publish({
    name: "alerts",
    title: "Alerts",
    how: `One node with the embedded database sends ${ALERTS} alerts of ${ALERTS} monitors by webhook. The receiver answers after ${RESPONSE_DELAY_MS / 1_000} s. It runs in the same process, so the memory includes it.`,
    quick,
    withBrowser: false,
    measures: [
      measureOf({ title: "decided and queued", unit: "/s" }, decided),
      measureOf({ title: "delivered, from the first report to the last answer", unit: "/s" }, delivered),
    ],
    notes: [`Each came once; at most ${receiver.maxConcurrency} requests were open at once.`],
  });
} finally {
  await context.stop();
  await receiver.close();
  await database.remove();
}

/** Reports on all monitors and waits until every alert is delivered. @returns alerts per second */
async function sendAlerts(round: number): Promise<{ decided: number; delivered: number }> {
  const webhook = { url: receiver.url(), secret: "secret" };
  const began = performance.now();
  const reportedMs = await timed(async () => {
    for (let index = 0; index < ALERTS; index++)
      await context.report(`mon_${round}_${index}`, { webhook }, changedPages("/"));
  });
  for (let count = ALERTS; count > 0; await delay(200)) {
    const rows: { count: number }[] = await context.em().execute(LEFT);
    count = rows[0]?.count ?? 0;
  }
  const perSecond = (ms: number) => ALERTS / (ms / 1_000);
  return { decided: perSecond(reportedMs), delivered: perSecond(performance.now() - began) };
}
