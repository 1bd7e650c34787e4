import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { usage } from "../../shared/contracts/billing/usage.ts";
import { type CheckList, checkList } from "../../shared/contracts/monitors/monitors.ts";
import { query } from "../../test/support/servers/postgres-server.ts";
import { alertsDue } from "./alerts-due.ts";
import { clientOf, type Scene } from "./scene.ts";

/** One line of the balance. */
export interface Entry {
  name: string;
  /** What is correct, in numbers. */
  said: string;
  /** What is wrong, as sentences; empty when it balances. */
  faults: string[];
}

const rowsOf = ({ cluster }: Scene, sql: string) => query(cluster.databaseUrl, sql);

/** Checks that every accepted run has ended as expected, and that no other run exists. */
export async function balanceRuns(scene: Scene): Promise<Entry> {
  const { ledger } = scene;
  const rows = await rowsOf(
    scene,
    "select id, project, status, scm ->> 'sha' as sha, completed_at is not null as ended from runs.run",
  );
  const faults = rows.filter(({ ended }) => !ended).map(({ id, status }) => `${id} is still ${status}`);
  const ids = new Set(rows.map(({ id }) => String(id)));
  faults.push(...[...ledger.runs.keys()].filter(id => !ids.has(id)).map(id => `${id} is lost`));
  for (const commit of ledger.commits) {
    const times = rows.filter(({ sha }) => sha === commit).length;
    if (times !== 1) faults.push(`The preview of ${commit} has ${times} runs`);
  }
  const ofMonitors = rows.filter(({ project }) => String(project).startsWith("monitor/")).length;
  const asked = ledger.runs.size + ledger.commits.length + ofMonitors;
  if (rows.length !== asked) faults.push(`${rows.length} runs for ${asked} that were asked for`);
  for (const { id, counts } of ledger.runs.values()) {
    const view = await clientOf(scene, 0).getRun(id);
    if (counts === null) continue;
    const found = Object.fromEntries(Object.entries(view.counts).filter(([, count]) => count > 0));
    if (view.status !== "completed" || !isDeepStrictEqual(found, counts))
      faults.push(`${id} is ${view.status} with ${JSON.stringify(found)}, not ${JSON.stringify(counts)}`);
  }
  return { name: "accepted = completed", said: `${rows.length} runs, ${ofMonitors} of monitors`, faults };
}

/** Checks that each page at each width exists once, and has a result unless its run was canceled. */
export async function balanceScreenshots(scene: Scene): Promise<Entry> {
  const [all] = await rowsOf(scene, "select count(*)::int as n from runs.screenshot");
  const twice = await rowsOf(
    scene,
    "select run_id, route, viewport from runs.screenshot group by 1, 2, 3 having count(*) > 1",
  );
  const pending = await rowsOf(
    scene,
    `select s.id from runs.screenshot s join runs.run r on r.id = s.run_id
     where s.status = 'pending' and r.status = 'completed'`,
  );
  const failed = await rowsOf(
    scene,
    `select s.id, s.error from runs.screenshot s join runs.run r on r.id = s.run_id
     where s.status = 'failed' and r.project not like 'monitor/%'`,
  );
  return {
    name: "screenshots once each",
    said: `${all?.n} screenshots`,
    faults: [
      ...twice.map(row => `${row.run_id} has ${row.route} at ${row.viewport} more than once`),
      ...pending.map(({ id }) => `${id} is pending in a completed run`),
      ...failed.map(({ id, error }) => `${id} failed: ${error}`),
    ],
  };
}

/** Runs that count: all but those that were canceled before any rendering. */
const CHARGED = `runs.run r where r.status <> 'canceled' or r.started_at is not null`;
/**
 * Every five minutes, the service recovers counts that a killed node has not written and that are ten minutes old. A
 * message that a killed node was sending is sent again after two minutes, and later ones wait for it.
 */
const SETTLED_WITHIN_MS = 330_000;

/** Returns what is still wrong after nothing can be pending, or at once nothing. */
async function onceSettled(find: () => Promise<string[]>): Promise<string[]> {
  const patience = AbortSignal.timeout(SETTLED_WITHIN_MS);
  for (;;) {
    const faults = await find();
    if (faults.length === 0 || patience.aborted) return faults;
    await delay(2_000);
  }
}

/** Checks that the plan was charged for what exists. */
export async function balanceUsage(scene: Scene): Promise<Entry> {
  const { cluster } = scene;
  // It is read each time, because monitors are checked on schedule meanwhile.
  const dueNow = `select (select count(*) from ${CHARGED})::int as runs,
       (select count(*) from runs.screenshot where status <> 'removed' and run_id in (select id from ${CHARGED}))::int
         as screenshots`;
  await rowsOf(scene, "update billing.counted_run set counted_at = counted_at - interval '10 minutes'");
  let due: Record<string, unknown> | undefined;
  const faults = await onceSettled(async () => {
    [due] = await rowsOf(scene, dueNow);
    const used = usage.parse(await (await cluster.request("/v1/usage")).json());
    return (["runs", "screenshots"] as const)
      .filter(name => used[name].used !== due?.[name])
      .map(name => `${used[name].used} ${name} were charged, there are ${due?.[name]}`);
  });
  return {
    name: "usage exact",
    said: `${due?.runs} runs and ${due?.screenshots} screenshots charged`,
    faults,
  };
}

const told = z.object({ id: z.string(), type: z.string(), monitor: z.object({ id: z.string() }) });

/**
 * Checks that the alerts of each monitor are those in the docs, once each and in order. A repeated notification has the
 * same id.
 */
export async function balanceAlerts(scene: Scene): Promise<Entry> {
  let said = "";
  const faults = await onceSettled(async () => {
    const found = await alertsNow(scene);
    said = found.said;
    return found.faults;
  });
  return { name: "alerts once each", said, faults };
}

async function alertsNow(scene: Scene): Promise<Pick<Entry, "said" | "faults">> {
  const taken = new Map(
    scene.receiver.received.map(({ body }) => told.parse(JSON.parse(body))).map(one => [one.id, one]),
  );
  const faults = [...scene.receiver.faults];
  let due = 0;
  for (const id of scene.ledger.monitors) {
    const checks = (await checksOf(scene, id)).filter(check => check.endedAt !== null);
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
    const found = [...taken.values()].filter(({ monitor }) => monitor.id === id).map(({ type }) => type);
    if (!isDeepStrictEqual(found, expected)) {
      const from = Math.max(0, expected.findIndex((type, index) => type !== found[index]) - 2);
      const part = (types: string[]) => types.slice(from, from + 8).join(", ");
      faults.push(
        `${id} told ${found.length}, its checks found ${expected.length}; from number ${from} on: told ${part(found)}; found ${part(expected)}`,
      );
    }
  }
  const repeats = scene.receiver.received.length - taken.size;
  return { said: `${due} alerts; ${repeats} repeated tries of the same`, faults };
}

async function checksOf({ cluster }: Scene, monitorId: string) {
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
