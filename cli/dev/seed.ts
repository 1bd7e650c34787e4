import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { ApiClient } from "../../shared/api/api-client.ts";
import { checkList, checkView } from "../../shared/contracts/monitors/checks.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { SampleSite } from "../demo/site-server.ts";
import { DEV_TEXTS as TEXTS } from "../texts/dev.ts";
import type { SlowSite } from "./slow-site.ts";

interface SeedContext {
  client: ApiClient;
  baseUrl: string;
  apiKey: string;
  site: SampleSite;
  slow: SlowSite;
  /** Aborts the work. */
  signal: AbortSignal;
}

const PROJECT = "tidewell";
const ROUTES = ["/", "/pricing", "/contact"];
/** A path for which the sample site returns 404. */
const MISSING = "/missing";

const idOnly = z.object({ id: z.string() });
/** A check takes some seconds, and so does a restart. */
const POLL_MS = 500;

/**
 * Fills an empty database through the API only, so that the service creates all data. Runs: approved, passed,
 * rejected, changed with a failed page, minor changes, new, failed and canceled. Monitors: ok, changed and
 * down, the last two with an incident.
 */
export async function seed(context: SeedContext): Promise<void> {
  const { client, site, slow } = context;
  const submit = (run: Partial<Parameters<ApiClient["submitRun"]>[0]>) =>
    client.submitRun(
      { url: site.url, project: PROJECT, routes: ROUTES, threshold: 0, ...run },
      // The idempotency key allows retries while the service restarts.
      randomUUID(),
    );
  const ended = async (run: ReturnType<typeof submit>): Promise<RunView> => client.waitForRun((await run).id);

  const canceled = await submit({ url: slow.url, routes: ["/"], project: "slow" });
  await request(context, "POST", `/v1/runs/${canceled.id}/cancel`);

  site.show(1);
  const first = await ended(submit({}));
  await request(context, "POST", `/v1/baselines/${first.id}/approve`, {});
  const monitored = await makeMonitor(context, TEXTS.monitors.monitored, ["/", "/pricing"]);
  // The second version changes this page only on wide screens.
  const fine = await makeMonitor(context, TEXTS.monitors.fine, ["/contact"], [375]);
  await Promise.all([ended(submit({})), runCheck(context, monitored), runCheck(context, fine)]);

  site.show(2);
  const rejected = await ended(submit({ branch: "coral-button", baselineBranch: "main" }));
  await request(context, "POST", `/v1/baselines/${rejected.id}/reject`, { reason: TEXTS.rejection });
  const down = await makeMonitor(context, TEXTS.monitors.down, [MISSING]);
  await makeMonitor(context, TEXTS.monitors.other, ["/guide"]);
  await Promise.all([
    ended(submit({ branch: "new-prices", routes: [...ROUTES, MISSING] })),
    ended(submit({ branch: "small-fixes", threshold: 0.5 })),
    ended(submit({ branch: "new-guide", routes: ["/guide"], partial: true })),
    ended(submit({ branch: "broken", routes: [MISSING], partial: true })),
    runCheck(context, monitored),
    runCheck(context, down),
  ]);
}

/** One page at all widths, captured one after the other. The run takes one slot, for half a minute per width. */
const SLOW_WIDTHS = [320, 360, 414, 600, 768, 1024, 1280, 1440, 1680, 1920];

/** Submits a run that stays in progress for five minutes. */
export async function submitRunning({ client, slow }: Pick<SeedContext, "client" | "slow">): Promise<void> {
  await client.submitRun({ url: slow.url, project: "slow", viewports: SLOW_WIDTHS, rerun: true });
}

async function makeMonitor(
  context: SeedContext,
  name: string,
  routes: string[],
  viewports?: number[],
): Promise<string> {
  // Once a day, so that scheduled checks don't disturb developers.
  const settings = { intervalMinutes: 1_440, alertThreshold: 0.001 };
  const monitor = { name, url: context.site.url, routes, viewports, ...settings };
  return idOnly.parse(await request(context, "POST", "/v1/monitors", monitor)).id;
}

/** Starts a check of a monitor, and waits for its outcome. */
async function runCheck(context: SeedContext, monitorId: string): Promise<void> {
  const path = `/v1/monitors/${monitorId}`;
  const { id } = checkView.parse(await request(context, "POST", `${path}/run`, {}));
  for (;;) {
    const { data } = checkList.parse(await request(context, "GET", `${path}/history`));
    if (data.some(check => check.id === id && check.outcome !== null)) return;
    await delay(POLL_MS, undefined, { signal: context.signal });
  }
}

/** Sends a request, and retries while the service restarts. @throws Error for an error response */
async function request(
  { baseUrl, apiKey, signal }: SeedContext,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  for (;;) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    }).catch(() => null);
    signal.throwIfAborted();
    if (response?.ok) return response.json();
    // A scheduled check, or one from before a restart, is still running.
    const isChecking = response?.status === 409 && path.endsWith("/run");
    if (response && response.status !== 503 && !isChecking)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await delay(POLL_MS, undefined, { signal });
  }
}
