import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { databaseTime } from "../../../mixins/database.ts";
import type { BillingContext } from "../../../services/billing/billing-context.ts";
import { migrations } from "../../../services/billing/migrations/index.ts";
import { PLANS } from "../../../services/billing/plans.ts";
import { periodAt } from "../../../services/billing/usage/period.rule.ts";
import { settleUsage } from "../../../services/billing/usage/settle-usage.ts";
import { takeAllowance } from "../../../services/billing/usage/take-allowance.ts";
import { UsageEntity } from "../../../services/billing/usage/usage.entity.ts";
import { addNotices, findUsage, giveBackAllowance } from "../../../services/billing/usage/usage.store.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { TableHold } from "../../support/drivers/table-hold.ts";
import { until } from "../../support/drivers/until.ts";
import { DatabaseNode } from "../../support/servers/database-node.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/servers/databases.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const TEAM = "team_a";
const LIMIT = { type: "plan_limit_exceeded", code: 402 };

/** The end of the bus at which the others are: what was told, and what the runs service knows. */
class OtherEnd implements Bus {
  readonly told: { name: string; payload: object }[] = [];
  rendered: string[] = [];
  waiting: string[] = [];
  /** Run ids that were asked about. */
  readonly asked: string[] = [];
  refuses = false;
  /** An action that nobody offers at the moment. */
  away = "";

  async call<Result>(name: string, params: object): Promise<Result> {
    if (name === "teams.noteUsage" || name === "alerts.mailUsage") {
      if (this.refuses || this.away === name) throw new Error("The node went away.");
      this.told.push({ name, payload: params });
      // biome-ignore lint/plugin: what they answer.
      return null as Result;
    }
    assert.equal(name, "runs.rendered");
    assert.ok("ids" in params && Array.isArray(params.ids));
    const { ids } = params;
    this.asked.push(...ids);
    const among = (known: string[]) => known.filter(id => ids.includes(id));
    // biome-ignore lint/plugin: what runs.rendered answers.
    return { rendered: among(this.rendered), waiting: among(this.waiting) } as Result;
  }

  async emit(): Promise<void> {}

  async broadcast(): Promise<void> {}
}

const billingOn = (database: DatabaseKind) => () => {
  database.needed();
  let made: TestDatabase;
  let node: DatabaseNode;
  let bus: OtherEnd;
  let plan: Plan;
  let billing: BillingContext;

  before(async () => {
    made = await database.make();
    node = await DatabaseNode.start(made.env, { schema: "billing", entities: [UsageEntity], migrations });
  });
  beforeEach(async () => {
    await node.em().execute("truncate billing.usage, billing.taken, billing.notice");
    bus = new OtherEnd();
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
  const age = (interval: string) =>
    node.em().execute(`update billing.taken set taken_at = taken_at - interval '${interval}'`);
  const untold = async () => {
    const rows: { count: number }[] = await node
      .em()
      .execute("select count(*)::int as count from billing.notice where told_at is null");
    return rows[0]?.count;
  };
  const told = () => bus.told.map(({ payload }) => payload);

  it("refuses what goes over an allowance, says how much that is, and counts nothing for it", async () => {
    await takeMany(50);
    const resetsAt = (await period()).end.toISOString();
    await assert.rejects(take("one_more"), { ...LIMIT, data: { limit: 50, used: 50, resetsAt } });
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
    await take("elsewhere", 1, "team_b");
    assert.deepEqual(await used("team_b"), { runs: 1, screenshots: 1 });
  });

  it("refuses one run that is larger than the allowance, of a team that has used nothing", async () => {
    await assert.rejects(take("large", 501), {
      ...LIMIT,
      message: /used 0 of the 500 screenshots.*needs 501/,
    });
    await take("largest", 500);
    assert.deepEqual(await used(), { runs: 1, screenshots: 500 });
  });

  it("accepts just as many runs as there are when a hundred ask at once", async () => {
    await takeMany(40, 1, "before");
    assert.equal(accepted(await takeMany(100)), 10);
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
  });

  it("accepts just as many screenshots as there are when a hundred ask at once", async () => {
    assert.equal(accepted(await takeMany(100, 30)), 16);
    assert.deepEqual(await used(), { runs: 16, screenshots: 480 });
    await take("the_rest", 20);
    await assert.rejects(take("no_more"), { ...LIMIT, message: /500 of the 500 screenshots/ });
  });

  it("counts the same message once, also when it comes ten times at once for the last run that there is", async () => {
    await takeMany(49, 1, "before");
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => take("same")));
    assert.equal(accepted(outcomes), 10);
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
    await take("same");
    assert.deepEqual(await used(), { runs: 50, screenshots: 50 });
  });

  it("counts the same message once, also when it comes ten times at once and there is plenty", async () => {
    await take("before");
    assert.equal(accepted(await Promise.allSettled(Array.from({ length: 10 }, () => take("same", 3)))), 10);
    assert.deepEqual(await used(), { runs: 2, screenshots: 4 });
  });

  it("gives back once, however often it is asked to, and may be taken again then", async () => {
    await takeMany(50, 2);
    await Promise.all(Array.from({ length: 10 }, () => giveBackAllowance(node.em(), ["run_7"])));
    assert.deepEqual(await used(), { runs: 49, screenshots: 98 });
    await take("run_7", 3);
    assert.deepEqual(await used(), { runs: 50, screenshots: 101 });
    await giveBackAllowance(node.em(), ["unknown"]);
    assert.deepEqual(await used(), { runs: 50, screenshots: 101 });
  });

  it("loses count of nothing while some take and others give back", async () => {
    await takeMany(50);
    const rounds = Array.from({ length: 50 }, async (_, index) => {
      await giveBackAllowance(node.em(), [`run_${index}`]);
      await take(`again_${index}`, 2).catch(() => {});
    });
    await Promise.all(rounds);
    const rows: { runs: number; screenshots: number }[] = await node
      .em()
      .execute("select count(*)::int as runs, sum(screenshots)::int as screenshots from billing.taken");
    assert.deepEqual(await used(), { ...rows[0] });
    assert.ok((await used()).runs <= 50);
  });

  it("begins anew with a month, and gives back to the month that it was taken from", async () => {
    await takeMany(50);
    for (const table of ["usage", "taken", "notice"])
      await node
        .em()
        .execute(
          `update billing.${table} set period_start = (period_start at time zone 'utc' - interval '1 month') at time zone 'utc'`,
        );
    assert.deepEqual(await used(), { runs: 0, screenshots: 0 });
    await take("new");
    await giveBackAllowance(node.em(), ["run_1", "run_2"]);
    assert.deepEqual(await used(), { runs: 1, screenshots: 1 });
    const [before] = await node.em().find(UsageEntity, {}, { orderBy: { periodStart: "asc" } });
    assert.deepEqual([before?.runs, before?.screenshots], [48, 48]);
  });

  it("has the month of UTC, whatever time the database lives in", async () => {
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

  it("counts without a limit too, and tells of nothing then", async () => {
    plan = PLANS.business;
    assert.equal(accepted(await takeMany(100, 2_000)), 100);
    assert.deepEqual(await used(), { runs: 100, screenshots: 200_000 });
    assert.deepEqual(told(), []);
  });

  it("refuses at once what a smaller plan does not hold, and goes on with a larger one", async () => {
    plan = PLANS.pro;
    await takeMany(60);
    plan = PLANS.free;
    await assert.rejects(take("small"), { ...LIMIT, message: /60 of the 50 runs/ });
    plan = PLANS.pro;
    await take("large");
    assert.deepEqual(await used(), { runs: 61, screenshots: 61 });
  });

  it("tells of 80 and 100 percent, each once, however many take at once and whatever is given back", async () => {
    await takeMany(60);
    const resetsAt = (await period()).end.toISOString();
    await until(() => bus.told.length >= 4);
    const percents = bus.told.map(({ name, payload }) => [name, "percent" in payload && payload.percent]);
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
    await settleUsage(billing);
    assert.equal(bus.told.length, 4);
  });

  it("tells of the same share of a larger allowance too, when the plan has changed within the month", async () => {
    await takeMany(50);
    await until(async () => (await untold()) === 0);
    assert.equal(bus.told.length, 4);
    plan = { ...PLANS.pro, runs: 60 };
    await take("more");
    await until(async () => (await untold()) === 0);
    await take("and_more");
    const last = bus.told.slice(4).map(({ name, payload }) => [name, "limit" in payload && payload.limit]);
    assert.deepEqual(last, [
      ["teams.noteUsage", 60],
      ["alerts.mailUsage", 60],
    ]);
  });

  it("tells again, until both have it, what one of those who are told did not get", async () => {
    bus.away = "alerts.mailUsage";
    await take("most", 400);
    await node.em().execute("update billing.notice set noticed_at = noticed_at - interval '2 minutes'");
    await settleUsage(billing);
    assert.equal(await untold(), 1);
    bus.away = "";
    bus.told.length = 0;
    await settleUsage(billing);
    assert.deepEqual(
      bus.told.map(({ name }) => name),
      ["teams.noteUsage", "alerts.mailUsage"],
    );
    await settleUsage(billing);
    assert.equal(bus.told.length, 2);
  });

  it("tells later what could not be told", async () => {
    const { start } = await period();
    bus.refuses = true;
    await take("most", 400);
    assert.deepEqual(await used(), { runs: 1, screenshots: 400 }, "that is no fault of the run");
    bus.refuses = false;
    await settleUsage(billing);
    assert.deepEqual(told(), [], "whoever wrote it down may be telling it now");
    await node.em().execute("update billing.notice set noticed_at = noticed_at - interval '2 minutes'");
    await settleUsage(billing);
    await settleUsage(billing);
    assert.equal(bus.told.length, 2);
    const notice = { allowance: "screenshots", percent: 80, limit: 500, used: 400 } as const;
    assert.deepEqual(await addNotices(node.em(), { teamId: TEAM, periodStart: start }, [notice]), []);
  });

  it("gives back what was counted for runs that are not there, after a while", async () => {
    await takeMany(3, 5);
    bus.rendered = ["run_1"];
    bus.waiting = ["run_2"];
    await settleUsage(billing);
    assert.deepEqual(bus.asked, [], "they may be about to be written");
    await age("11 minutes");
    await Promise.all([settleUsage(billing), settleUsage(billing)]);
    assert.deepEqual(await used(), { runs: 2, screenshots: 10 });
    bus.asked.length = 0;
    await settleUsage(billing);
    assert.deepEqual(bus.asked, ["run_2"], "what has rendered is settled, what waits is not");
  });

  it("takes a run that is long gone for one that was deleted, and not for one that never was", async () => {
    await take("old");
    await age("7 days");
    await settleUsage(billing);
    assert.deepEqual(bus.asked, []);
    assert.deepEqual(await used(), { runs: 1, screenshots: 1 });
  });

  it("asks for thousands in parts, and for each of them", async () => {
    await node.em().execute(
      `insert into billing.taken (run_id, team_id, period_start, screenshots, taken_at)
       select 'run_' || number, 'team', now(), 1, now() - interval '1 hour' from generate_series(0, 1202) as number`,
    );
    bus.waiting = Array.from({ length: 1_203 }, (_, index) => `run_${index}`);
    await settleUsage(billing);
    assert.equal(new Set(bus.asked).size, 1_203);
    assert.equal(bus.asked.length, 1_203);
  });

  it("forgets which runs it counted when their month is long over, but not how many", async () => {
    await takeMany(5);
    await node.em().execute(`update billing.taken set period_start = period_start - interval '62 days'`);
    await settleUsage(billing);
    assert.deepEqual(await node.em().execute("select run_id from billing.taken"), []);
    assert.deepEqual(await used(), { runs: 5, screenshots: 5 });
  });
};

describe("A run that is counted twice", () => {
  needs("database");

  it("is counted once where the second time comes while the first is being written", async () => {
    const url = await createDatabase();
    const schema = { schema: "billing", entities: [UsageEntity], migrations };
    const node = await DatabaseNode.start({ DATABASE_URL: url }, schema);
    const billing = { em: node.em, bus: new OtherEnd(), planOf: async () => PLANS.free, warn: () => {} };
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
