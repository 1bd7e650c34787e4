import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { usage } from "../../../shared/contracts/billing/usage.ts";
import { type CheckList, checkList } from "../../../shared/contracts/monitors/checks.ts";
import { query } from "../../../test/support/servers/postgres-server.ts";
import { alertsDue } from "../alerts-due.ts";
import { clientOf, type SoakContext } from "../soak-context.ts";
import { HOSTILE_PROJECT } from "../visit-hostile-pages.ts";

/** One line of the balance. */
export interface Entry {
  name: string;
  /** What is correct, in numbers. */
  summary: string;
  /** What is wrong, as sentences; empty when it balances. */
  failures: string[];
}

export const rowsOf = ({ cluster }: SoakContext, sql: string) => query(cluster.databaseUrl, sql);

/** Checks that every accepted run has ended as expected, and that no other run exists. */
export async function balanceRuns(context: SoakContext): Promise<Entry> {
  const { ledger } = context;
  const rows = await rowsOf(
    context,
    "select id, project, status, scm ->> 'sha' as sha, completed_at is not null as ended from runs.run",
  );
  const failures = rows.filter(({ ended }) => !ended).map(({ id, status }) => `${id} is still ${status}`);
  const ids = new Set(rows.map(({ id }) => String(id)));
  failures.push(...[...ledger.runs.keys()].filter(id => !ids.has(id)).map(id => `${id} is lost`));
  for (const commit of ledger.commits) {
    const times = rows.filter(({ sha }) => sha === commit).length;
    if (times !== 1) failures.push(`The preview of ${commit} has ${times} runs`);
  }
  const ofMonitors = rows.filter(({ project }) => String(project).startsWith("monitor/")).length;
  const expected = ledger.runs.size + ledger.commits.length + ofMonitors;
  if (rows.length !== expected) failures.push(`${rows.length} runs for ${expected} that were requested`);
  for (const { id, counts } of ledger.runs.values()) {
    const view = await clientOf(context, 0).getRun(id);
    if (counts === null) continue;
    const found = Object.fromEntries(Object.entries(view.counts).filter(([, count]) => count > 0));
    if (view.status !== "completed" || !isDeepStrictEqual(found, counts))
      failures.push(`${id} is ${view.status} with ${JSON.stringify(found)}, not ${JSON.stringify(counts)}`);
  }
  return {
    name: "accepted = completed",
    summary: `${rows.length} runs, ${ofMonitors} of monitors`,
    failures,
  };
}

/** Checks that each page at each width exists once, and has a result unless its run was canceled. */
export async function balanceScreenshots(context: SoakContext): Promise<Entry> {
  const [all] = await rowsOf(context, "select count(*)::int as n from runs.screenshot");
  const twice = await rowsOf(
    context,
    "select run_id, route, viewport from runs.screenshot group by 1, 2, 3 having count(*) > 1",
  );
  const pending = await rowsOf(
    context,
    `select s.id from runs.screenshot s join runs.run r on r.id = s.run_id
     where s.status = 'pending' and r.status = 'completed'`,
  );
  const failed = await rowsOf(
    context,
    `select s.id, s.error from runs.screenshot s join runs.run r on r.id = s.run_id
     where s.status = 'failed' and r.project not like 'monitor/%' and r.project <> '${HOSTILE_PROJECT}'`,
  );
  return {
    name: "screenshots once each",
    summary: `${all?.n} screenshots`,
    failures: [
      ...twice.map(row => `${row.run_id} has ${row.route} at ${row.viewport} more than once`),
      ...pending.map(({ id }) => `${id} is pending in a completed run`),
      ...failed.map(({ id, error }) => `${id} failed: ${error}`),
    ],
  };
}

/** Runs that count: all but those that were canceled before any rendering, and second looks of monitors. */
const CHARGED = `runs.run r where (r.status <> 'canceled' or r.started_at is not null) and not r.is_confirmation`;
/**
 * Every five minutes, the service recovers counts that a killed node has not written and that are ten minutes old. A
 * message that a killed node was sending is sent again after two minutes, and later ones wait for it.
 */
const SETTLE_TIMEOUT_MS = 330_000;

/** Returns what is still wrong after nothing can be pending, or at once nothing. */
export async function untilSettled(find: () => Promise<string[]>): Promise<string[]> {
  const deadline = AbortSignal.timeout(SETTLE_TIMEOUT_MS);
  for (;;) {
    const failures = await find();
    if (failures.length === 0 || deadline.aborted) return failures;
    await delay(2_000);
  }
}

/** Checks that the plan was charged for what exists. */
export async function balanceUsage(context: SoakContext): Promise<Entry> {
  const { cluster } = context;
  // It is read each time, because monitors are checked on schedule meanwhile.
  const dueNow = `select (select count(*) from ${CHARGED})::int as runs,
       (select count(*) from runs.screenshot where status <> 'removed' and run_id in (select id from ${CHARGED}))::int
         as screenshots`;
  await rowsOf(context, "update billing.counted_run set counted_at = counted_at - interval '10 minutes'");
  let due: Record<string, unknown> | undefined;
  const failures = await untilSettled(async () => {
    [due] = await rowsOf(context, dueNow);
    const used = usage.parse(await (await cluster.request("/v1/usage")).json());
    return (["runs", "screenshots"] as const)
      .filter(name => used[name].used !== due?.[name])
      .map(name => `${used[name].used} ${name} were charged, there are ${due?.[name]}`);
  });
  return {
    name: "usage exact",
    summary: `${due?.runs} runs and ${due?.screenshots} screenshots charged`,
    failures,
  };
}

const notification = z.object({ id: z.string(), type: z.string(), monitor: z.object({ id: z.string() }) });

/**
 * Checks that the alerts of each monitor are those in the docs, once each and in order. A repeated notification has the
 * same id.
 */
export async function balanceAlerts(context: SoakContext): Promise<Entry> {
  let summary = "";
  const failures = await untilSettled(async () => {
    const found = await alertsNow(context);
    summary = found.summary;
    return found.failures;
  });
  return { name: "alerts once each", summary, failures };
}

async function alertsNow(context: SoakContext): Promise<Pick<Entry, "summary" | "failures">> {
  const notifications = new Map(
    context.receiver.received
      .map(({ body }) => notification.parse(JSON.parse(body)))
      .map(one => [one.id, one]),
  );
  const failures = [...context.receiver.faults];
  let due = 0;
  for (const id of context.ledger.monitors) {
    const checks = (await checksOf(context, id)).filter(check => check.endedAt !== null);
    const expected = alertsDue(
      checks
        .toSorted((a, b) => String(a.endedAt).localeCompare(String(b.endedAt)))
        .map(({ outcome, drift }) => ({
          outcome: String(outcome),
          changed: drift
            .filter(({ state }) => state === "changed")
            .map(({ route, viewport }) => `${route} ${viewport}`),
        })),
    );
    due += expected.length;
    const found = [...notifications.values()]
      .filter(({ monitor }) => monitor.id === id)
      .map(({ type }) => type);
    if (!isDeepStrictEqual(found, expected)) {
      const from = Math.max(0, expected.findIndex((type, index) => type !== found[index]) - 2);
      const excerpt = (types: string[]) => types.slice(from, from + 8).join(", ");
      failures.push(
        `${id} sent ${found.length} alerts, and its checks found ${expected.length}. From number ${from}: sent ${excerpt(found)}; found ${excerpt(expected)}`,
      );
    }
  }
  const repeats = context.receiver.received.length - notifications.size;
  return { summary: `${due} alerts; ${repeats} repeated attempts`, failures };
}

async function checksOf({ cluster }: SoakContext, monitorId: string) {
  const checks = [];
  let cursor: string | null = null;
  do {
    const path: string = `/v1/monitors/${monitorId}/history?limit=100${cursor ? `&cursor=${cursor}` : ""}`;
    const page: CheckList = checkList.parse(await (await cluster.request(path)).json());
    checks.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return checks;
}
