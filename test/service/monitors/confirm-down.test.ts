import assert from "node:assert/strict";
import { beforeEach, describe, it } from "mocha";
import { recoverChecks } from "../../../services/monitors/recovery-sweep.ts";
import type { ProbeRequest } from "../../../shared/contracts/monitors/http-checks.ts";
import type { CreateMonitorInput } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

const DOWN = { blame: "page", reason: "It answered 500." } as const;
const HTTP = { regions: ["ap-south", "eu-west", "us-east"], agree: 2 };

for (const database of MAIN_DATABASES)
  describe(`A check that finds its site down, on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    /** What regions can't load: `eu-west /a`, or `eu-west *`. */
    const cutOff = new Set<string>();
    /** Regions without a node. */
    const missing = new Set<string>();
    const asked: (ProbeRequest & { region: string | null })[] = [];
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });
    beforeEach(() => {
      for (const each of [cutOff, missing]) each.clear();
      context.shows.clear();
      asked.length = 0;
      context.monitors.probe = async (region, request) => {
        asked.push({ ...request, region });
        if (missing.has(region ?? "")) return null;
        const { pathname } = new URL(request.url);
        const isCutOff = cutOff.has(`${region} ${pathname}`) || cutOff.has(`${region} *`);
        return { status: isCutOff ? 502 : 200, ms: 1, error: null, hasText: null };
      };
    });

    const monitor = async (own: Partial<CreateMonitorInput> = {}) => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/", "/a"], http: HTTP, ...own });
      await context.check(admin, id);
      return { admin, id };
    };
    const check = async ({ admin, id }: { admin: Caller; id: string }) => {
      const ended = await context.check(admin, id);
      await driver.waitUntilReported(id);
      return ended;
    };
    const show = (route: string, shown: Parameters<MonitorDriver["show"]>[1]) =>
      driver.show(`https://example.com${route}@1280`, shown);
    const last = (id: string) => context.alerts.of(id).at(-1);

    it("says nothing if only some regions can't load it either", async () => {
      const made = await monitor();
      show("/", DOWN);
      show("/a", DOWN);
      cutOff.add("eu-west *");
      const ended = await check(made);
      assert.deepEqual(
        [ended.outcome, ended.error],
        [
          "failed",
          "/ and /a can't be loaded from eu-west, but from ap-south and us-east. Too few regions agree.",
        ],
      );
      assert.equal(last(made.id), "ok", "nothing is reported");
      const view = await context.get(made.admin, made.id);
      assert.deepEqual([view.status, view.uptime, view.availability.day.uptime], ["ok", 1, 1]);
    });

    it("is down if enough regions can't load it", async () => {
      const made = await monitor();
      show("/", DOWN);
      for (const region of ["eu-west", "us-east"]) cutOff.add(`${region} /`);
      const ended = await check(made);
      assert.deepEqual([ended.outcome, ended.error], ["down", DOWN.reason]);
      assert.equal(last(made.id), "down /");
    });

    it("is down if every region loads it, because only a browser sees the problem", async () => {
      const made = await monitor();
      show("/", DOWN);
      assert.equal((await check(made)).outcome, "down");
      assert.equal(asked.length, 3);
    });

    it("is down if no region has a node", async () => {
      const made = await monitor();
      show("/", DOWN);
      for (const region of HTTP.regions) missing.add(region);
      assert.equal((await check(made)).outcome, "down");
    });

    it("reports only the pages that enough regions can't load", async () => {
      const made = await monitor();
      for (const route of ["/", "/a"]) show(route, DOWN);
      cutOff.add("eu-west *");
      cutOff.add("us-east /a");
      const ended = await check(made);
      assert.equal(ended.outcome, "down");
      assert.match(ended.error ?? "", /^It answered 500\. \/ can't be loaded from eu-west, but from/);
      assert.equal(last(made.id), "down /a");
      const report = context.alerts.reports.findLast(({ monitor: reported }) => reported.id === made.id);
      assert.deepEqual(
        report?.uncaptured.map(({ route, viewport }) => `${route} ${viewport}`),
        ["/ 1280", "/ 0"],
      );
    });

    it("still reports other pages that changed", async () => {
      const made = await monitor();
      show("/", DOWN);
      show("/a", "new look");
      cutOff.add("eu-west *");
      const ended = await check(made);
      assert.equal(ended.outcome, "changed");
      assert.equal(last(made.id), "changed /a@1280");
      assert.equal((await context.get(made.admin, made.id)).status, "changed");
    });

    it("asks with the check's own URL and headers, and about the pages that are down only", async () => {
      const made = await monitor({ options: { headers: { "x-preview": "1" } } });
      show("/a", DOWN);
      await check(made);
      assert.deepEqual(
        asked.map(({ region, url, headers }) => [region, url, headers]).toSorted(),
        HTTP.regions.map(region => [region, "https://example.com/a", { "x-preview": "1" }]),
      );
    });

    /** Starts a check whose regions don't answer yet. */
    const checkSlowly = async () => {
      const { admin, id } = await monitor();
      show("/", DOWN);
      const { probe } = context.monitors;
      const answers = Promise.withResolvers<void>();
      context.monitors.probe = async (...page) => {
        const result = await probe(...page);
        await answers.promise;
        return result;
      };
      const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
      await until(() => asked.length === HTTP.regions.length);
      const end = async () => {
        answers.resolve();
        assert.equal((await context.ended(admin, id, checkId)).outcome, "down");
      };
      return { admin, id, end };
    };

    it("is left to its node while the regions are asked", async () => {
      const { id, end } = await checkSlowly();
      await driver.ageChecks(id, "1 minute");
      await until(() => driver.isTouched(id));
      await recoverChecks(context.monitors);
      assert.equal(asked.length, HTTP.regions.length);
      await end();
    });

    it("doesn't delay the recovery of other checks while the regions are asked", async () => {
      const slow = await checkSlowly();
      const { admin, id } = await monitor({ routes: ["/fine"] });
      const { id: checkId } = await check({ admin, id });
      await driver.reopenCheck(checkId);
      for (const each of [slow.id, id]) await driver.ageChecks(each, "1 minute");
      const recovering = recoverChecks(context.monitors);
      assert.equal((await context.ended(admin, id, checkId)).outcome, "ok");
      await slow.end();
      await recovering;
    });

    it("asks nobody without regions, without problems, and if regions captured the pages", async () => {
      const made = await monitor({ http: { agree: 1 } });
      show("/", DOWN);
      assert.equal((await check(made)).outcome, "down");
      const fine = await monitor({ routes: ["/fine"] });
      await check(fine);
      context.regions.add("eu-west");
      const regional = await monitor({ regions: ["eu-west"], routes: ["/r"] });
      driver.show("https://example.com/r (@eu-west)@1280", DOWN);
      assert.equal((await check(regional)).outcome, "down");
      context.regions.clear();
      assert.deepEqual(asked, []);
    });
  });
