/**
 * Runs a soak test: a mixed load of runs, builds, Storybooks, hostile pages, reviews, comments, previews and monitors
 * on a real fleet of processes. Nodes, NATS and PostgreSQL are killed at random, and a balance is checked at the end.
 * The same seed draws the same requests and failures.
 *
 * npm run soak -- --minutes 30 --seed 1
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { TEST_KEY } from "../../test/support/drivers/api-access.ts";
import { SECRET } from "../../test/support/drivers/integration.ts";
import { until } from "../../test/support/drivers/until.ts";
import { PreviewSite } from "../../test/support/fakes/preview-site.ts";
import { Site } from "../../test/support/fixtures/site.ts";
import { HttpReceiver } from "../../test/support/servers/http/http-receiver.ts";
import { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import {
  balanceAlerts,
  balanceRuns,
  balanceScreenshots,
  balanceUsage,
  type Entry,
} from "./balance/balance.ts";
import { balanceComments, balanceEvents, createWebhook, verifyEvent } from "./balance/balance-events.ts";
import { balanceImages } from "./balance/balance-images.ts";
import { balanceProcesses, balanceRows } from "./balance/balance-leftovers.ts";
import { causeFailures } from "./cause-failures.ts";
import { checkStorybooks } from "./check-storybooks.ts";
import { commentRuns } from "./comment-runs.ts";
import { deliverPreviews, PROJECT } from "./deliver-previews.ts";
import { type Curve, growthOf, sparedFolder, watchGrowth } from "./growth.ts";
import { Ledger } from "./ledger.ts";
import { monitorPage } from "./monitor-page.ts";
import { page, soakPages } from "./site.ts";
import type { SoakContext } from "./soak-context.ts";
import { submitRuns } from "./submit-runs.ts";
import { uploadBuilds } from "./upload-builds.ts";
import { visitHostilePages } from "./visit-hostile-pages.ts";

const SUBMITTERS = 4;
const WATCHED = ["/m/0", "/m/1", "/m/2"];
/** Two of each: one that is killed, and one whose memory is watched. */
const KINDS = [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"]];
const SETTLE_TIMEOUT_MS = 300_000;

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error("--minutes takes a number above 0, --seed a whole number.");

const watched = new Map(WATCHED.map(path => [path, 0]));
let eventsSecret: string | null = null;
const root = await mkdtemp(join(tmpdir(), "vrs-soak-"));
const images = join(root, "images");
const temporary = join(root, "temporary");
const [killed, spared] = [join(temporary, "killed"), sparedFolder(temporary)];
for (const folder of [images, killed, spared]) await mkdir(folder, { recursive: true });
const [site, preview, receiver, events] = await Promise.all([
  Site.start(soakPages(watched)),
  PreviewSite.start({ "/": page(0) }),
  HttpReceiver.start(),
  HttpReceiver.start(({ headers, body }) => verifyEvent(eventsSecret, headers, body)),
]);
const cluster = await Cluster.start({
  layout: [...KINDS, ...KINDS.map(services => ({ services, env: { TMPDIR: spared } }))],
  env: {
    TMPDIR: killed,
    ...preview.env,
    SERVICE_ALLOW_HOSTS: `localhost,${preview.url}`,
    IMAGE_STORE_URL: pathToFileURL(images).href,
    PLATFORM_CLIENT_SECRET: SECRET,
    SERVICE_API_URL: "$BASE_URL",
    SERVICE_API_KEY: TEST_KEY,
  },
});
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await cluster.stop();
  await Promise.all([site.stop(), preview.stop(), receiver.close(), events.close()]);
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** @returns whether everything balances */
async function soak(): Promise<boolean> {
  const ending = new AbortController();
  const context: SoakContext = {
    cluster,
    site,
    preview,
    receiver,
    events,
    temporary,
    seed,
    ledger: new Ledger(),
    spared: cluster.nodes.slice(KINDS.length),
    signal: ending.signal,
  };
  console.log(`${minutes} minutes with seed ${seed}`);
  const timer = setTimeout(() => ending.abort(), minutes * 60_000);
  const growth = watchGrowth(context);
  try {
    await allowPreviews();
    eventsSecret = await createWebhook(context);
    await Promise.all([
      ...Array.from({ length: SUBMITTERS }, (_, index) => submitRuns(context, `shop-${index}`)),
      ...WATCHED.map(path => monitorPage(context, watched, path)),
      uploadBuilds(context),
      checkStorybooks(context, join(root, "storybook")),
      visitHostilePages(context),
      commentRuns(context),
      deliverPreviews(context),
      causeFailures(context),
    ]);
    await waitUntilIdle();
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
  for (const [act, times] of context.ledger.acts) console.log(`  ${String(times).padStart(5)} ${act}`);
  return report(await balance(context, await growth));
}

/** Allows the previews of one project to be rendered, which are on no domain of the platform's own. */
async function allowPreviews(): Promise<void> {
  const response = await cluster.request(`/v1/admin/consents/project:${PROJECT}`, { method: "PUT" });
  if (!response.ok) throw new Error(await response.text());
}

/** Waits until no work is left. */
async function waitUntilIdle(): Promise<void> {
  const deadline = AbortSignal.timeout(SETTLE_TIMEOUT_MS);
  await until(async () => {
    if (deadline.aborted) return true;
    await delay(1_000);
    return await cluster.nats.isDrained();
  });
}

async function balance(context: SoakContext, curves: Curve[]): Promise<Entry[]> {
  return [
    { name: "expected responses", summary: "", failures: context.ledger.failures },
    await balanceRuns(context),
    await balanceScreenshots(context),
    await balanceUsage(context),
    await balanceAlerts(context),
    await balanceEvents(context),
    await balanceComments(context),
    await balanceRows(context),
    await balanceImages(cluster.databaseUrl, images),
    await balanceProcesses(context),
    balanceGrowth(curves),
  ];
}

function balanceGrowth(curves: Curve[]): Entry {
  const figures = curves.map(curve => ({ ...curve, ...growthOf(curve) }));
  for (const { name, unit, early, late } of figures)
    console.log(`  ${name}: ${early} then ${late}${unit === "MB" ? " MB" : ""}`);
  return {
    name: "no growth",
    summary: `${curves.length} figures of memory, files, processes and connections`,
    failures: figures
      .filter(({ grows }) => grows)
      .map(({ name, early, late }) => `${name} grew from ${early} to ${late}`),
  };
}

function report(entries: Entry[]): boolean {
  for (const { name, summary, failures } of entries) {
    console.log(`${failures.length === 0 ? "✓" : "✗"} ${name}${summary && `: ${summary}`}`);
    for (const failure of failures) console.log(`    ${failure}`);
  }
  return entries.every(({ failures }) => failures.length === 0);
}
