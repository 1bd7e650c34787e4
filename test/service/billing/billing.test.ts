import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { databaseTime } from "../../../mixins/database.ts";
import type { BillingContext } from "../../../services/billing/billing-context.ts";
import { migrations } from "../../../services/billing/migrations/index.ts";
import { PLANS } from "../../../services/billing/plans.ts";
import { periodAt } from "../../../services/billing/usage/period.rule.ts";
import { readUsageHistory } from "../../../services/billing/usage/read-usage-history.ts";
import { reconcileUsage } from "../../../services/billing/usage/reconcile-usage.ts";
import { takeAllowance } from "../../../services/billing/usage/take-allowance.ts";
import {
  addNotices,
  findUsage,
  giveBackAllowance,
  UsageEntity,
} from "../../../services/billing/usage/usage.store.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/databases/databases.ts";
import { TableHold } from "../../support/drivers/table-hold.ts";
import { until } from "../../support/drivers/until.ts";
import {
  ageCountedRuns,
  ageNotices,
  countUnsentNotices,
  deleteUsageRows,
  insertCountedRuns,
  moveCountedRunsBack,
  moveUsageToLastMonth,
  sumCountedRuns,
} from "../../support/rows/billing-rows.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const TEAM = "team_a";
const LIMIT = { type: "plan_limit_exceeded", code: 402 };

/** A bus with the other services. It records what they received, and knows the runs. */
class OtherServices implements Bus {
  readonly sent: { name: string; payload: object }[] = [];
  rendered: string[] = [];
  waiting: string[] = [];
  /** The run ids of all requests. */
  readonly asked: string[] = [];
  refuses = false;
  /** An action that does not respond. */
  unavailable = "";

  async call<Result>(name: string, params: object): Promise<Result> {
    if (name === "teams.noteUsage" || name === "alerts.mailUsage") {
      if (this.refuses || this.unavailable === name) throw new Error("The node stopped.");
      this.sent.push({ name, payload: params });
      // biome-ignore lint/plugin: their responses.
      return null as Result;
    }
    assert.equal(name, "runs.rendered");
    assert.ok("ids" in params && Array.isArray(params.ids));
    const { ids } = params;
    this.asked.push(...ids);
    const among = (known: string[]) => known.filter(id => ids.includes(id));
    // biome-ignore lint/plugin: the response of runs.rendered.
    return { rendered: among(this.rendered), waiting: among(this.waiting) } as Result;
  }

  async emit(): Promise<void> {}

  async broadcast(): Promise<void> {}
}

const billingOn = (database: DatabaseKind) => () => {
  database.needed();
  let made: TestDatabase;
  let node: DatabaseNode;
  let bus: OtherServices;
  let plan: Plan;
  let billing: BillingContext;

  before(async () => {
    made = await database.make();
    node = await DatabaseNode.start(made.env, { schema: "billing", entities: [UsageEntity], migrations });
  });
  beforeEach(async () => {
    await deleteUsageRows(node.em());
    bus = new OtherServices();
    plan = PLANS.free;
    billing = { em: node.em, bus, planOf: async () => plan, warn: () => {} };
  });
  after(async () => {
    await node?.stop();
    await made?.remove();
  });

  const take = (runId: string, screenshots = 1, teamId = TEAM) =>
    takeAllowance(billing, { runId, teamId, screenshots });
  const takeMany = (count: number, screenshots = 1, name = "run") =>
    Promise.allSettled(Array.from({ length: count }, (_, index) => take(`${name}_${index}`, screenshots)));
  const accepted = (outcomes: PromiseSettledResult<void>[]) => {
    for (const outcome of outcomes)
      if (outcome.status === "rejected") assert.equal(outcome.reason.type, LIMIT.type, outcome.reason.stack);
    return outcomes.filter(({ status }) => status === "fulfilled").length;
  };
  const period = async () => periodAt(await databaseTime(node.em()));
  const used = async (teamId = TEAM) => findUsage(node.em(), teamId, (await period()).start);
  const age = (interval: string) => ageCountedRuns(node.em(), interval);
  const countUnsent = () => countUnsentNotices(node.em());
  const told = () => bus.sent.map(({ payload }) => payload);

  it("refuses a run that exceeds an allowance, returns the limit, and counts nothing", async () => {
    await takeMany(50);
    const resetsAt = (await period()).end.toISOString();
    await assert.rejects(take("one_more"), { ...LIMIT, data: { limit: 50, used: 50, resetsAt } });
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
    await take("elsewhere", 1, "team_b");
    assert.deepEqual(await used("team_b"), { runs: 1, screenshots: 1 });
  });

  it("refuses one run that is larger than the allowance, from a team without usage", async () => {
    await assert.rejects(take("large", 501), {
      ...LIMIT,
      message: /used 0 of the 500 screenshots.*needs 501/,
    });
    await take("largest", 500);
    assert.deepEqual(await used(), { runs: 1, screenshots: 500 });
  });

  it("accepts exactly the allowed runs of a hundred concurrent requests", async () => {
    await takeMany(40, 1, "before");
    assert.equal(accepted(await takeMany(100)), 10);
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
  });

  it("accepts exactly the allowed screenshots of a hundred concurrent requests", async () => {
    assert.equal(accepted(await takeMany(100, 30)), 16);
    assert.deepEqual(await used(), { runs: 16, screenshots: 480 });
    await take("the_rest", 20);
    await assert.rejects(take("no_more"), { ...LIMIT, message: /500 of the 500 screenshots/ });
  });

  it("counts ten concurrent copies of a message once, also for the last run", async () => {
    await takeMany(49, 1, "before");
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => take("same")));
    assert.equal(accepted(outcomes), 10);
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
    await take("same");
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
  });

  it("counts ten concurrent copies of a message once if enough is left", async () => {
    await take("before");
    assert.equal(accepted(await Promise.allSettled(Array.from({ length: 10 }, () => take("same", 3)))), 10);
    assert.deepEqual(await used(), { runs: 2, screenshots: 4 });
  });

  it("gives back once for any number of requests, and can count the run again", async () => {
    await takeMany(50, 2);
    await Promise.all(Array.from({ length: 10 }, () => giveBackAllowance(node.em(), ["run_7"])));
    assert.deepEqual(await used(), { runs: 49, screenshots: 98 });
    await take("run_7", 3);
    assert.deepEqual(await used(), { runs: 50, screenshots: 101 });
    await giveBackAllowance(node.em(), ["unknown"]);
    assert.deepEqual(await used(), { runs: 50, screenshots: 101 });
  });

  it("keeps the sums correct while runs are counted and given back concurrently", async () => {
    await takeMany(50);
    const rounds = Array.from({ length: 50 }, async (_, index) => {
      await giveBackAllowance(node.em(), [`run_${index}`]);
      await take(`again_${index}`, 2).catch(() => {});
    });
    await Promise.all(rounds);
    assert.deepEqual(await used(), await sumCountedRuns(node.em()));
    assert.ok((await used()).runs <= 50);
  });

  it("starts at zero in a new month, and gives back to the month of the run", async () => {
    await takeMany(50);
    await moveUsageToLastMonth(node.em());
    assert.deepEqual(await used(), { runs: 0, screenshots: 0 });
    await take("new");
    await giveBackAllowance(node.em(), ["run_1", "run_2"]);
    assert.deepEqual(await used(), { runs: 1, screenshots: 1 });
    const [before] = await node.em().find(UsageEntity, {}, { orderBy: { periodStart: "asc" } });
    assert.deepEqual([before?.runs, before?.screenshots], [48, 48]);
  });

  it("is kept for the last twelve months", async () => {
    await takeMany(3);
    await moveUsageToLastMonth(node.em());
    await take("new", 5);
    const { data } = await readUsageHistory(billing, TEAM);
    assert.equal(data.length, 12);
    assert.deepEqual(
      data.slice(0, 3).map(({ runs, screenshots }) => [runs, screenshots]),
      [
        [1, 5],
        [3, 3],
        [0, 0],
      ],
    );
    for (const [index, { period }] of data.entries())
      assert.equal(period.end, data[index - 1]?.period.start ?? period.end);
  });

  it("uses the UTC month in any time zone of the database", async () => {
    await node.em().transactional(async em => {
      await em.execute("set local time zone 'Pacific/Kiritimati'");
      const [row]: { start: string }[] = await em.execute(
        "select to_char(date_trunc('month', now() at time zone 'utc'), 'YYYY-MM-DD') as start",
      );
      assert.equal(
        periodAt(await databaseTime(em))
          .start.toISOString()
          .slice(0, 10),
        row?.start,
      );
    });
  });

  it("counts without a limit too, and sends no notice", async () => {
    plan = PLANS.business;
    assert.equal(accepted(await takeMany(100, 2_000)), 100);
    assert.deepEqual(await used(), { runs: 100, screenshots: 200_000 });
    assert.deepEqual(told(), []);
  });

  it("refuses at once what a smaller plan does not include, and continues with a larger one", async () => {
    plan = PLANS.pro;
    await takeMany(60);
    plan = PLANS.free;
    await assert.rejects(take("small"), { ...LIMIT, message: /60 of the 50 runs/ });
    plan = PLANS.pro;
    await take("large");
    assert.deepEqual(await used(), { runs: 61, screenshots: 61 });
  });

  it("sends a notice at 80 and 100 percent, each once, also while runs are counted and given back", async () => {
    await takeMany(60);
    const resetsAt = (await period()).end.toISOString();
    await until(() => bus.sent.length >= 4);
    const percents = bus.sent.map(({ name, payload }) => [name, "percent" in payload && payload.percent]);
    assert.deepEqual(percents.sort(), [
      ["alerts.mailUsage", 100],
      ["alerts.mailUsage", 80],
      ["teams.noteUsage", 100],
      ["teams.noteUsage", 80],
    ]);
    const last = told().find(payload => "percent" in payload && payload.percent === 100);
    const facts = { teamId: TEAM, allowance: "runs", percent: 100, limit: 50, used: 50, resetsAt };
    assert.deepEqual(last, facts);
    await giveBackAllowance(node.em(), ["run_1"]);
    await take("again");
    await reconcileUsage(billing);
    assert.equal(bus.sent.length, 4);
  });

  it("sends a notice at the same percentage of a larger allowance after a change of plans", async () => {
    await takeMany(50);
    await until(async () => (await countUnsent()) === 0);
    assert.equal(bus.sent.length, 4);
    plan = { ...PLANS.pro, runs: 60 };
    await take("more");
    await until(async () => (await countUnsent()) === 0);
    await take("and_more");
    const last = bus.sent.slice(4).map(({ name, payload }) => [name, "limit" in payload && payload.limit]);
    assert.deepEqual(last, [
      ["teams.noteUsage", 60],
      ["alerts.mailUsage", 60],
    ]);
  });

  it("sends a notice again until both receivers have it", async () => {
    bus.unavailable = "alerts.mailUsage";
    await take("most", 400);
    await ageNotices(node.em());
    await reconcileUsage(billing);
    assert.equal(await countUnsent(), 1);
    bus.unavailable = "";
    bus.sent.length = 0;
    await reconcileUsage(billing);
    assert.deepEqual(
      bus.sent.map(({ name }) => name),
      ["teams.noteUsage", "alerts.mailUsage"],
    );
    await reconcileUsage(billing);
    assert.equal(bus.sent.length, 2);
  });

  it("sends later what could not be sent", async () => {
    const { start } = await period();
    bus.refuses = true;
    await take("most", 400);
    assert.deepEqual(await used(), { runs: 1, screenshots: 400 }, "the run itself is counted");
    bus.refuses = false;
    await reconcileUsage(billing);
    assert.deepEqual(told(), [], "the node that wrote it may be sending it now");
    await ageNotices(node.em());
    await reconcileUsage(billing);
    await reconcileUsage(billing);
    assert.equal(bus.sent.length, 2);
    const notice = { allowance: "screenshots", percent: 80, limit: 500, used: 400 } as const;
    assert.deepEqual(await addNotices(node.em(), { teamId: TEAM, periodStart: start }, [notice]), []);
  });

  it("gives back the allowance of missing runs after a while", async () => {
    await takeMany(3, 5);
    bus.rendered = ["run_1"];
    bus.waiting = ["run_2"];
    await reconcileUsage(billing);
    assert.deepEqual(bus.asked, [], "their rows may not be written yet");
    await age("11 minutes");
    await Promise.all([reconcileUsage(billing), reconcileUsage(billing)]);
    assert.deepEqual(await used(), { runs: 2, screenshots: 10 });
    bus.asked.length = 0;
    await reconcileUsage(billing);
    assert.deepEqual(bus.asked, ["run_2"], "captured runs are confirmed, and waiting ones are not");
  });

  it("assumes that an old missing run was deleted", async () => {
    await take("old");
    await age("7 days");
    await reconcileUsage(billing);
    assert.deepEqual(bus.asked, []);
    assert.deepEqual(await used(), { runs: 1, screenshots: 1 });
  });

  it("asks for thousands of runs in pages", async () => {
    await insertCountedRuns(node.em(), 1_203);
    bus.waiting = Array.from({ length: 1_203 }, (_, index) => `run_${index}`);
    await reconcileUsage(billing);
    assert.equal(new Set(bus.asked).size, 1_203);
    assert.equal(bus.asked.length, 1_203);
  });

  it("deletes the counted runs of old months, but keeps their sums", async () => {
    await takeMany(5);
    await moveCountedRunsBack(node.em(), "62 days");
    await reconcileUsage(billing);
    assert.equal((await sumCountedRuns(node.em())).runs, 0);
    assert.deepEqual(await used(), { runs: 5, screenshots: 5 });
  });
};

describe("A run that is counted twice", () => {
  needs("database");

  it("is counted once if the second request arrives while the first is written", async () => {
    const url = await createDatabase();
    const schema = { schema: "billing", entities: [UsageEntity], migrations };
    const node = await DatabaseNode.start({ DATABASE_URL: url }, schema);
    const billing = { em: node.em, bus: new OtherServices(), planOf: async () => PLANS.free, warn: () => {} };
    const take = (runId: string) => takeAllowance(billing, { runId, teamId: TEAM, screenshots: 3 });
    try {
      await take("before");
      const hold = await TableHold.ofUpdates(url, "billing.usage");
      const both = Promise.all([take("same"), take("same")]);
      await hold.caught();
      await hold.release();
      await both;
      const used = await findUsage(node.em(), TEAM, periodAt(await databaseTime(node.em())).start);
      assert.deepEqual(used, { runs: 2, screenshots: 6 });
    } finally {
      await node.stop();
    }
  });
});

for (const database of DATABASES) describe(`Allowances on ${database.name}`, billingOn(database));
