/**
 * `npm run demo`: starts the service and a sample site, captures the site, changes it, and captures it again.
 * `--exit` ends afterwards, with exit code 0 if the second run found the site's changes and nothing else.
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { ApiClient } from "../../shared/api/api-client.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { VARIABLE_NAMES } from "../../shared/environment/variables.ts";
import { onSignals } from "../../shared/process.ts";
import { changesTable } from "../output/changes-table.ts";
import { DEMO_TEXTS as TEXTS } from "../texts/demo.ts";
import { compareWithExpected } from "./compare-with-expected.ts";
import { makeDemoFolder } from "./demo-folder.ts";
import { type DemoOptions, readDemoOptions } from "./demo-options.ts";
import { freePort } from "./free-port.ts";
import { startService } from "./service-process.ts";
import { expectedChanges, SECOND_VERSION } from "./site/second-version.ts";
import { DEMO_ROUTES, type SampleSite, startSite } from "./site-server.ts";
import { paint, step } from "./steps.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const VIEWPORTS = [375, 1280];

/** The service's default port and the next one, unless they are in use. */
const SERVICE_PORT = 4400;
const SITE_PORT = 4401;

/** Ends the demo: on Ctrl-C, or on a signal. */
const interrupt = new AbortController();
onSignals(process, ["SIGINT", "SIGTERM", "SIGHUP"], {
  first: () => interrupt.abort(),
  again: () => process.exit(130),
});

/**
 * Keeps only the service variables that concern the machine. A demo must not touch data of another service.
 */
const MACHINE_VARIABLES = new Set(["RENDER_CONCURRENCY", "CHROMIUM_PATH", "SERVICE_CACHE_DIR", "LOG_LEVEL"]);

async function main(options: DemoOptions): Promise<number> {
  const folder = await makeDemoFolder(ROOT).catch((error: unknown) => {
    console.error(`${paint("red", TEXTS.failed)} ${reasonOf(error)}\n${TEXTS.removeFolder}`);
    return null;
  });
  if (folder === null) return 1;
  const code = await demonstrate(folder, options);
  // The log stays after a failure.
  if (code === 0 || interrupt.signal.aborted) await rm(folder, { recursive: true, force: true });
  return code;
}

/** Runs the whole demo with its data in `folder`. Resolves to the exit code. */
async function demonstrate(folder: string, options: DemoOptions): Promise<number> {
  const logFile = join(folder, "service.log");
  const apiKey = `vrs_demo_${randomBytes(18).toString("base64url")}`;
  console.log(TEXTS.intro);

  const site = await startSite(SITE_PORT).catch(() => startSite());
  try {
    const port = await freePort(SERVICE_PORT);
    const baseUrl = `http://localhost:${port}`;
    const env = {
      ...Object.fromEntries(
        VARIABLE_NAMES.filter(name => !MACHINE_VARIABLES.has(name)).map(name => [name, ""]),
      ),
      // Nothing else runs on the machine, and pages sometimes wait for a response or a frame.
      RENDER_CONCURRENCY: process.env.RENDER_CONCURRENCY || String(Math.ceil(availableParallelism() * 1.5)),
      PORT: String(port),
      SERVICE_BASE_URL: baseUrl,
      SERVICE_DATA_DIR: join(folder, "data"),
      SERVICE_ALLOW_HOSTS: `localhost:${site.port}`,
      SERVICE_BOOTSTRAP_KEY: apiKey,
    };
    const service = await step(TEXTS.steps.start, async () => {
      const value = await startService(ROOT, env, logFile, interrupt.signal);
      return { outcome: TEXTS.started(baseUrl, site.url), value };
    });
    try {
      const client = new ApiClient({ baseUrl, apiKey, signal: interrupt.signal });
      const { ok, runs } = await Promise.race([compareVersions(client, site), service.ended]);
      if (!options.exit) {
        printAddresses(runs, baseUrl, apiKey);
        await Promise.race([interrupted(), service.ended]);
      }
      return ok ? 0 : 1;
    } finally {
      await service.stop();
    }
  } catch (error) {
    if (interrupt.signal.aborted) return 130;
    console.error(`\n${paint("red", TEXTS.failed)} ${reasonOf(error)}`);
    console.error(TEXTS.log(relative(process.cwd(), logFile)));
    return 1;
  } finally {
    await site.close();
  }
}

/** Captures both versions of the site, and prints the differences that the service found. */
async function compareVersions(
  client: ApiClient,
  site: SampleSite,
): Promise<{ ok: boolean; runs: RunView[] }> {
  const first = await step(TEXTS.steps.first, show => captureSite(client, site, show));
  await step(TEXTS.steps.approve, async () => {
    const { approved } = await client.approve(first.id);
    return { outcome: TEXTS.approved(approved), value: null };
  });
  site.show(2);
  const second = await step(TEXTS.steps.second, show => captureSite(client, site, show));

  const screenshots = await client.listScreenshots(second.id);
  const table = changesTable(
    screenshots.map(shot => ({ ...shot, note: shot.error })),
    { columns: process.stdout.columns || 80, paint },
  );
  if (table.length > 0) console.log(`\n${table.join("\n")}`);
  const result = compareWithExpected(screenshots, expectedChanges(DEMO_ROUTES, VIEWPORTS));
  console.log(`\n${result.ok ? paint("green", "✓") : paint("red", "✗")} ${result.line}`);
  return { ok: result.ok, runs: [first, second] };
}

async function captureSite(client: ApiClient, site: SampleSite, show: (state: string) => void) {
  const submitted = await client.submitRun({
    url: site.url,
    project: "tidewell",
    routes: DEMO_ROUTES,
    viewports: VIEWPORTS,
    // A price or a button is less than 1% of a page, so here every changed pixel counts.
    threshold: 0,
  });
  const run = await client.waitForRun(submitted.id, {
    onProgress: ({ progress }) => show(TEXTS.progress(progress.captured, progress.total, progress.compared)),
  });
  if (run.counts.failed > 0) throw new Error(await failuresOf(client, run.id));
  if (run.status !== "completed") throw new Error(run.error ?? TEXTS.endedAs(run.status));
  return { outcome: TEXTS.captured(run.progress.total, countsOf(run)), value: run };
}

function countsOf({ counts }: RunView): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
}

async function failuresOf(client: ApiClient, runId: string): Promise<string> {
  const failed = (await client.listScreenshots(runId)).filter(({ status }) => status === "failed");
  return [...Map.groupBy(failed, ({ error }) => error)]
    .flatMap(([error, [first, ...more]]) =>
      first ? TEXTS.failure(first.route, first.viewport, more.length, error) : [],
    )
    .join("\n");
}

/** The message of fetch only says that it failed. The reason is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Width of the labels before addresses. */
const LABEL_WIDTH = 17;

function printAddresses(runs: RunView[], baseUrl: string, apiKey: string): void {
  const [first, second] = runs.map(({ links }) => links.report);
  const line = (name: string, value: string) => `${name.padEnd(LABEL_WIDTH)}${value}`;
  const curl = `curl -H "Authorization: Bearer ${apiKey}" ${baseUrl}/v1/runs`;
  console.log(`
${TEXTS.changes}
${SECOND_VERSION.map(({ what }) => `  - ${what}`).join("\n")}

${TEXTS.reports}
${line(`  ${TEXTS.firstReport}`, first ?? "")}
${line(`  ${TEXTS.secondReport}`, paint("bold", second ?? ""))}

${line(TEXTS.dashboard, baseUrl)}
${line(TEXTS.api, `${baseUrl}/docs`)}
${line(TEXTS.apiKey, `${apiKey}   ${TEXTS.apiKeyUse}`)}
${line(TEXTS.request, curl)}

${TEXTS.stop}`);
}

function interrupted(): Promise<void> {
  return new Promise(resolve => interrupt.signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Starts the demo, unless the arguments are invalid or request help. */
async function start(): Promise<number> {
  const options = optionsOrNull();
  if (options === null) return 2;
  if (!options.help) return main(options);
  console.log(TEXTS.help);
  return 0;
}

function optionsOrNull(): DemoOptions | null {
  try {
    return readDemoOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${TEXTS.help}`);
    return null;
  }
}

process.exitCode = await start();
