import { setTimeout as delay } from "node:timers/promises";
import { databaseTime } from "../../../mixins/database.ts";
import { endsWithin } from "../../../shared/async.ts";
import { pageUrl } from "../../../shared/capture/network/page-url.ts";
import { call } from "../../../shared/contracts/bus.ts";
import {
  HTTP_BOUNDS,
  type HttpResult,
  type HttpSettings,
  type RegionResult,
} from "../../../shared/contracts/monitors/http-checks.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import { findCurrent } from "../maintenance/maintenance.store.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { findTeam } from "../settings/team.store.ts";
import { HTTP_TEXTS, LOG_MESSAGES } from "../texts.ts";
import { dueReport, evaluateHttp, problemOfPage, regionResultOf } from "./http-check.rule.ts";
import { type HttpCheckState, leaseHttpChecks, saveHttpAlerted, saveHttpResult } from "./http-check.store.ts";
import { reportTurnedOff } from "./stop-http-checks.ts";

/** Checks that one node runs at the same time. A check mostly waits, and slow sites must not delay all others. */
const CONCURRENT_CHECKS = 50;
/** While checks run, others become due. The search for them reads all monitors. */
const LEASE_INTERVAL_MS = 1_000;
/** Pages that one region requests at the same time. */
const CONCURRENT_PAGES = 5;
/** A region that found a problem requests no more pages after this time. Its outcome is known. */
const ENOUGH_MS = 30_000;
/** References to secrets, which only the runs service resolves. */
const SECRET_REFERENCE = "${secret.";

/**
 * Runs due HTTP checks, and those that become due meanwhile, until none runs. It reports changes. Any number of nodes may
 * do it at the same time.
 */
export async function runHttpChecks(context: MonitorsContext, signal?: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  const start = (id: string) => {
    const check = runHttpCheck(context, id)
      .catch(error => context.warn(error, LOG_MESSAGES.httpNotChecked(id)))
      .finally(() => running.delete(check));
    running.add(check);
  };
  try {
    while (!signal?.aborted) {
      const ids = await leaseHttpChecks(context.em(), CONCURRENT_CHECKS - running.size);
      for (const id of ids) start(id);
      if (running.size === 0) return;
      await endsWithin(Promise.all(running), LEASE_INTERVAL_MS);
    }
  } finally {
    await Promise.all(running);
  }
}

async function runHttpCheck(context: MonitorsContext, id: string): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), id);
  if (!monitor || monitor.deletedAt !== null || monitor.http === null) return;
  const regions = await confirmedRegions(context, monitor, monitor.http);
  const at = (await databaseTime(context.em())).toISOString();
  const result: HttpResult = { at, outcome: evaluateHttp(regions, monitor.http.agree), regions };
  const state = await saveHttpResult(context.em(), monitor, result);
  if (!state) return;
  await reportIfDue(context, monitor, { result, ...state });
  await publishMonitorsChanged(context.bus, [{ teamId: monitor.teamId, monitorId: id }]);
}

/** Checks from all regions. A region that finds a problem checks once more, because brief problems don't count. */
async function confirmedRegions(
  context: MonitorsContext,
  monitor: Monitor,
  settings: HttpSettings,
): Promise<RegionResult[]> {
  const regions = settings.regions.length === 0 ? [null] : settings.regions;
  const first = await Promise.all(regions.map(region => checkFrom(context, monitor, settings, region)));
  if (!first.some(({ outcome }) => outcome === "failing")) return first;
  await delay(context.confirmAfterMs);
  return Promise.all(
    first.map(result =>
      result.outcome === "failing" ? checkFrom(context, monitor, settings, result.region) : result,
    ),
  );
}

/** Checks a monitor's pages from one region. */
export async function checkFrom(
  context: MonitorsContext,
  { url, routes, options }: Pick<Monitor, "url" | "routes" | "options">,
  settings: Pick<HttpSettings, "maxResponseMs" | "requiredText">,
  region: string | null,
): Promise<RegionResult> {
  const headers = sendableHeaders(options.headers ?? {});
  const { requiredText } = settings;
  const pages: RegionResult["pages"] = [];
  const startedMs = performance.now();
  const checked = routes.slice(0, HTTP_BOUNDS.pages);
  for (let at = 0; at < checked.length; at += CONCURRENT_PAGES) {
    const isDecided = pages.some(({ problem }) => problem !== null);
    if (isDecided && performance.now() - startedMs > ENOUGH_MS) break;
    const some = checked.slice(at, at + CONCURRENT_PAGES).map(async route => {
      const asked = { url: pageUrl(url, route), headers, requiredText };
      return { route, probe: await context.probe(region, asked) };
    });
    for (const { route, probe } of await Promise.all(some)) {
      if (!probe) return regionResultOf(region, null);
      const { status, ms } = probe;
      const rounded = ms === null ? null : Math.round(ms);
      pages.push({ route, status, ms: rounded, problem: problemOfPage(probe, settings) });
    }
  }
  return regionResultOf(region, pages);
}

function sendableHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.includes(SECRET_REFERENCE)));
}

async function reportIfDue(
  context: MonitorsContext,
  monitor: Monitor,
  { result, isAlerted, since }: { result: HttpResult } & Pick<HttpCheckState, "isAlerted" | "since">,
): Promise<void> {
  const kind = dueReport(result.outcome, isAlerted);
  if (kind === null || (await findTeam(context.em(), monitor.teamId))?.scheduled !== true) return;
  // The first check after maintenance decides.
  if ((await findCurrent(context.em(), [monitor.id])).length > 0) return;
  // If the answer is lost, the report may have been sent.
  if (!(await saveHttpAlerted(context.em(), monitor.id, null))) return;
  const isQueued = await call(context.bus, "alerts.reportCondition", {
    // The same failure, or its end, is reported once.
    source: `http ${kind} ${monitor.id} ${since.toISOString()}`,
    kind,
    at: result.at,
    title: HTTP_TEXTS[kind].title(monitor.name),
    text: kind === "failing" ? HTTP_TEXTS.failing.text(problemsIn(result)) : HTTP_TEXTS.passing.text,
    monitors: [alertedMonitor(monitor)],
  });
  // A snoozed monitor is reported later, unless it passes by then. Its end is reported later, too, so that its incident
  // doesn't stay open.
  const isOn = await saveHttpAlerted(context.em(), monitor.id, isQueued ? kind === "failing" : isAlerted);
  if (!isOn && isQueued && kind === "failing")
    await reportTurnedOff(context, monitor, `http off late ${monitor.id} ${result.at}`);
}

/** Returns the first problem of each region. */
function problemsIn({ regions }: HttpResult): { region: string | null; route: string; problem: string }[] {
  return regions.flatMap(({ region, pages }) => {
    const found = pages.find(({ problem }) => problem !== null);
    return found?.problem == null ? [] : [{ region, route: found.route, problem: found.problem }];
  });
}
