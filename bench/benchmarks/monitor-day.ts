/**
 * Simulates a day of monitors over unchanged pages of third-party npm packages, and counts the alerts. 24 hourly checks
 * run one after another, while two other processes keep two cores busy.
 *
 * node bench/benchmarks/monitor-day.ts [--quick] [--hours n] [--sites a,b] [--seed n] [--keep folder]
 *
 * `--keep` keeps the images of pages that looked changed.
 */
import { DATABASES } from "../../test/support/databases/databases.ts";
import { HttpReceiver } from "../../test/support/servers/http/http-receiver.ts";
import {
  breakdownOfDay,
  countsOfDay,
  type Day,
  measuresOfDay,
  notesOfDay,
} from "../monitor-day/describe-day.ts";
import { MonitoredCorpus } from "../monitor-day/monitored-corpus.ts";
import { readMonitorDayOptions } from "../monitor-day/options.ts";
import { type PlannedMonitor, planMonitors } from "../monitor-day/plan-monitors.ts";
import { readChecks, readScreenshots } from "../monitor-day/read-checks.ts";
import type { Suspicion } from "../monitor-day/suspicions.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";
import { keepImages } from "../real-pages/image-folder.ts";
import { whileBusy } from "../real-pages/keep-busy.ts";
import { timed } from "../support/memory.ts";
import { publish } from "../support/publish.ts";

const HOUR_MS = 3_600_000;

const { sites, widths, hours, quick, keep } = readMonitorDayOptions();
const [embedded] = DATABASES;
if (!embedded) throw new Error("There is no embedded database.");
const server = await serveCorpus();
const planned = planMonitors(sites, { url: server.url, widths });
const day = await whileBusy(() => watchForADay(planned));
server.close();
const { counts, suspicions } = countsOfDay(day);
await publish({
  name: "monitor-day",
  title: "A day of monitors",
  how: `${planned.length} monitors watch ${sites.flatMap(site => site.pages).length} pages of npm packages × ${widths.length} ${widths.length === 1 ? "width" : "widths"}. Nobody changes the pages. The first check creates the baselines, and ${hours} hourly checks follow. The services run in one process, with real browsers and the embedded database. The checks of an hour start when those of the hour before have ended. The pages' clock is an hour later each time. The alert threshold is 0, so any changed pixel that a second capture confirms causes an alert. Two other processes keep two cores busy.`,
  quick,
  withBrowser: true,
  counts,
  measures: measuresOfDay(day),
  breakdowns: [breakdownOfDay(day, suspicions)],
  notes: notesOfDay(day, suspicions),
});

async function watchForADay(monitors: PlannedMonitor[]): Promise<Day> {
  const database = await embedded?.make();
  if (!database) throw new Error("There is no embedded database.");
  const receiver = await HttpReceiver.start();
  const corpus = await MonitoredCorpus.start(database.env);
  try {
    for (const monitor of monitors) await corpus.addMonitor(monitor, receiver.url());
    const start = Date.now();
    const hourSeconds: number[] = [];
    for (let hour = 0; hour <= hours; hour += 1) {
      const ms = await timed(() => corpus.runHour(new Date(start + hour * HOUR_MS)));
      if (hour > 0) hourSeconds.push(ms / 1_000);
      console.log(`hour ${hour}: ${(ms / 1_000).toFixed(0)} s, alerts: ${receiver.received.length}`);
    }
    await corpus.deliverAll();
    const [checks, screenshots] = [await readChecks(corpus), await readScreenshots(corpus)];
    const result = { checks, screenshots, alerts: receiver.received.length, hourSeconds };
    if (keep !== null) await keepSuspicions(corpus, countsOfDay(result).suspicions);
    return result;
  } finally {
    await corpus.stop();
    await receiver.close();
    await database.remove();
  }
}

async function keepSuspicions(corpus: MonitoredCorpus, found: Suspicion[]): Promise<void> {
  const read = (hash: string | null) => (hash === null ? null : corpus.image(hash));
  for (const { page, hour, screenshots } of found) {
    for (const { runNumber, hash, baselineHash } of screenshots) {
      const images = { baseline: await read(baselineHash), current: await read(hash) };
      await keepImages(keep, `${page} hour ${hour} run ${runNumber}`, images);
    }
  }
}
