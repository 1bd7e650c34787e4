/**
 * 1,000 alerts of as many monitors to a receiver that answers after 2 s: how many a second, and in how much memory.
 *
 *   node bench/alerts.ts [alerts]
 */
import { setTimeout as delay } from "node:timers/promises";
import { AlertsRig, changedPages } from "../test/support/alerts-rig.ts";
import { DATABASES } from "../test/support/databases.ts";
import { HttpReceiver } from "../test/support/http-receiver.ts";
import { megabytesOf } from "./figures.ts";

const ALERTS = Number(process.argv[2] ?? 1_000);
const ANSWERS_AFTER_MS = 2_000;

const [embedded] = DATABASES;
if (!embedded) throw new Error("There is no embedded database.");
const database = await embedded.make();
const receiver = await HttpReceiver.start();
receiver.answers = [{ waitMs: ANSWERS_AFTER_MS }];
const rig = await AlertsRig.start(database.env);
try {
  const before = megabytesOf(process.pid).own;
  const began = performance.now();
  const webhook = { url: receiver.url(), secret: "secret" };
  for (let index = 0; index < ALERTS; index++)
    await rig.report(`mon_${index}`, { webhook }, changedPages("/"));
  const reported = performance.now();
  let most = before;
  const left = "select count(*)::int as count from alerts.delivery where status = 'queued'";
  for (let count = ALERTS; count > 0; ) {
    const rows: { count: number }[] = await rig.em().execute(left);
    count = rows[0]?.count ?? 0;
    most = Math.max(most, megabytesOf(process.pid).own);
    await delay(200);
  }
  const seconds = (performance.now() - began) / 1_000;
  const ids = new Set(receiver.received.map(({ headers }) => headers["vrs-delivery"]));
  console.log(`${ALERTS} alerts, a receiver that answers after ${ANSWERS_AFTER_MS / 1_000} s, one node`);
  console.log(`  decided and queued: ${(ALERTS / ((reported - began) / 1_000)).toFixed(0)}/s`);
  console.log(
    `  delivered: ${(ALERTS / seconds).toFixed(1)}/s, ${seconds.toFixed(0)} s in all, ${receiver.mostAtOnce} at once`,
  );
  console.log(`  each once: ${ids.size} of ${receiver.received.length}`);
  console.log(`  resident: ${before} MB before, ${most} MB at most (the receiver is in the same process)`);
} finally {
  await rig.stop();
  await receiver.close();
  await database.remove();
}
