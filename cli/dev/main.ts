/**
 * `npm run dev`: runs the service and restarts it when its sources change, serves the dashboard from its sources, and
 * fills an empty database with runs in every state. `--fresh` deletes the data first. `--inspect` opens an inspector.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../../shared/api/api-client.ts";
import { VARIABLE_NAMES } from "../../shared/environment/variables.ts";
import { onSignals } from "../../shared/process.ts";
import { freePort } from "../demo/free-port.ts";
import { startSite } from "../demo/site-server.ts";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";
import { isSeeded, markSeeded, openDevFolder } from "./dev-folder.ts";
import { openLog } from "./log-lines.ts";
import { seed, submitRunning } from "./seed.ts";
import { ServiceLoop } from "./service-loop.ts";
import { startSlowSite } from "./slow-site.ts";
import { serveSources } from "./vite-server.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The service's default port and the next one, unless they are in use. */
const SERVICE_PORT = 4400;
const SITE_PORT = 4401;

/**
 * Settings of the machine and of the developer. All others are as in a fresh clone, so that the dev server is
 * the same for everyone.
 */
const MACHINE_VARIABLES = new Set(["RENDER_CONCURRENCY", "CHROMIUM_PATH", "SERVICE_CACHE_DIR", "LOG_LEVEL"]);

/** A source that doesn't compile stops the service until the author fixes it. */
const RESTART_WITHIN_MS = 10 * 60_000;

const interrupt = new AbortController();
onSignals(process, ["SIGINT", "SIGTERM", "SIGHUP"], {
  first: () => interrupt.abort(),
  again: () => process.exit(130),
});

async function main(): Promise<void> {
  const isFresh = process.argv.includes("--fresh");
  const { folder, apiKey } = await openDevFolder(join(ROOT, ".service", "dev"), isFresh);
  const port = await freePort(Number(process.env.PORT) || SERVICE_PORT);
  const baseUrl = `http://localhost:${port}`;
  const site = await startSite(SITE_PORT).catch(() => startSite());
  const slow = await startSlowSite();
  const sources = await serveSources(ROOT);
  const log = openLog(join(folder, "service.log"));
  const service = new ServiceLoop({
    root: ROOT,
    onOutput: log.write,
    isInspected: process.argv.includes("--inspect"),
    env: {
      LOG_LEVEL: "info",
      // One more than the default: the run that stays in progress takes one.
      RENDER_CONCURRENCY: String(availableParallelism() + 1),
      ...process.env,
      ...Object.fromEntries(
        VARIABLE_NAMES.filter(name => !MACHINE_VARIABLES.has(name)).map(name => [name, ""]),
      ),
      PORT: String(port),
      SERVICE_BASE_URL: baseUrl,
      SERVICE_DATA_DIR: join(folder, "data"),
      SERVICE_ALLOW_HOSTS: [site, slow].map(each => `localhost:${each.port}`).join(","),
      SERVICE_BOOTSTRAP_KEY: apiKey,
      DEV_DASHBOARD_URL: sources.url,
    },
  });
  try {
    await service.start();
    printAddresses(baseUrl, apiKey, log.path);
    const { signal } = interrupt;
    const client = new ApiClient({ baseUrl, apiKey, signal, retryForMs: RESTART_WITHIN_MS });
    await Promise.all([fill({ client, baseUrl, apiKey, site, slow, folder, signal }), aborted()]);
  } finally {
    await service.stop();
    await log.close();
  }
}

function printAddresses(baseUrl: string, apiKey: string, log: string): void {
  const line = (name: string, value: string) => `${name.padEnd(11)}${value}`;
  console.log(`
${line(TEXTS.dashboard, baseUrl)}
${line(TEXTS.apiKey, apiKey)}
${line(TEXTS.log, log)}

${TEXTS.restarts}
${TEXTS.reloads} ${TEXTS.stop}
`);
}

/** Seeds an empty database, then submits the run that stays in progress. */
async function fill(context: Parameters<typeof seed>[0] & { folder: string }): Promise<void> {
  try {
    if (!(await isSeeded(context.folder))) {
      console.log(TEXTS.seeding);
      await seed(context);
      await markSeeded(context.folder);
      console.log(TEXTS.seeded);
    }
    await submitRunning(context);
  } catch (error) {
    // The dev server continues without the seed.
    if (!interrupt.signal.aborted) console.error(TEXTS.seedFailed, error);
  }
}

function aborted(): Promise<void> {
  return new Promise(resolve => interrupt.signal.addEventListener("abort", () => resolve(), { once: true }));
}

await main();
process.exit(0);
