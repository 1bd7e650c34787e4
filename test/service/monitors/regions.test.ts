import assert from "node:assert/strict";
import { beforeEach, describe, it } from "mocha";
import { followRenderers } from "../../../services/runs/capture/follow-renderers.ts";
import { looksQuery } from "../../../shared/contracts/comparisons/looks.ts";
import type { CreateMonitorInput } from "../../../shared/contracts/monitors/monitors.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";
import { OPEN_AND_DARK } from "../../support/fixtures/sites/job-pages.ts";

const REGIONS = ["ap-south", "eu-west", "us-east"];
const DOWN = { blame: "page", reason: "It answered 500." } as const;

for (const database of MAIN_DATABASES)
  describe(`Checks from several regions, on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });
    beforeEach(() => {
      context.shows.clear();
      context.rendered.length = 0;
      context.regions.clear();
      for (const region of REGIONS) context.regions.add(region);
    });

    const show = (page: string, region: string, shown: Parameters<MonitorDriver["show"]>[1]) =>
      driver.show(`https://example.com${page} (@${region})@1280`, shown);
    const monitor = async (own: Partial<CreateMonitorInput> = {}) => {
      const admin = context.team();
      const { id } = await context.create(admin, { regions: REGIONS, agree: 2, ...own });
      return { admin, id };
    };
    const seen = ({ regions }: Awaited<ReturnType<MonitorTestContext["check"]>>) =>
      regions.map(({ region, outcome }) => `${region} ${outcome}`);
    const check = async ({ admin, id }: { admin: Caller; id: string }) => {
      const ended = await context.check(admin, id);
      await driver.waitUntilReported(id);
      return ended;
    };
    /** Checks while regions are without a renderer. The periodic task that notices is run by hand. */
    const checkWithout = async (made: { admin: Caller; id: string }) => {
      const { id: checkId } = await context.ask(
        "monitors.run",
        { id: made.id, checkId: newId("chk") },
        made.admin,
      );
      await until(async () => {
        await followRenderers(context.runs);
        return (await driver.checksOf(made.admin, made.id))[0]?.endedAt != null;
      });
      await driver.waitUntilReported(made.id);
      const ended = (await driver.checksOf(made.admin, made.id)).find(({ id }) => id === checkId);
      assert.ok(ended);
      return ended;
    };
    const lastReport = (id: string) =>
      context.alerts.reports.findLast(({ monitor: reported }) => reported.id === id);

    it("capture each page from each region, as one run, and compare each with its own baseline", async () => {
      const made = await monitor({ routes: ["/", "/b"] });
      for (const region of REGIONS) show("/", region, `as in ${region}`);
      const first = await check(made);
      assert.deepEqual([first.outcome, first.drift.length, first.agree], ["established", 6, 2]);
      assert.deepEqual(context.rendered.toSorted().slice(0, 3), [
        "/ (@ap-south)@1280",
        "/ (@eu-west)@1280",
        "/ (@us-east)@1280",
      ]);
      const counted = context.counted.length;
      const second = await check(made);
      assert.deepEqual([second.outcome, second.attempts], ["ok", 1], "other content elsewhere is no change");
      assert.deepEqual(seen(second), ["ap-south ok", "eu-west ok", "us-east ok"]);
      assert.equal(context.counted.length, counted + 1);
      const [run] = await driver.runsOf(made.admin);
      assert.equal(run?.progress.total, 6);
      const { data } = await context.ask(
        "runs.screenshots",
        { runId: second.runId, query: { limit: 9 } },
        made.admin,
      );
      assert.deepEqual(
        data
          .filter(({ route }) => route === "/")
          .map(({ environment, status }) => `${environment} ${status}`),
        REGIONS.map(region => `@${region} unchanged`),
      );
    });

    it("alert only if enough regions see a difference, and recover when it is approved", async () => {
      const made = await monitor();
      await check(made);
      show("/", "eu-west", "banner");
      const one = await check(made);
      assert.deepEqual([one.outcome, one.attempts], ["ok", 2]);
      assert.deepEqual(seen(one), ["ap-south ok", "eu-west failing", "us-east ok"]);
      assert.deepEqual(
        one.drift.map(({ region, environment, state }) => `${region} ${environment} ${state}`),
        ["ap-south @ap-south ok", "eu-west @eu-west changed", "us-east @us-east ok"],
      );
      assert.equal((await context.get(made.admin, made.id)).status, "ok");
      show("/", "us-east", "banner");
      const two = await check(made);
      assert.deepEqual([two.outcome, seen(two)[2]], ["changed", "us-east failing"]);
      assert.equal(context.alerts.of(made.id).at(-1), "changed /@1280", "the page is one, whoever sees it");
      const { outcome } = lastReport(made.id) ?? {};
      assert.ok(outcome?.kind === "changed");
      assert.deepEqual(outcome.regressions[0]?.regions, ["eu-west", "us-east"]);
      await context.ask("runs.approve", { runId: two.runId }, made.admin);
      await until(async () => (await context.get(made.admin, made.id)).status === "ok");
      assert.equal(context.alerts.of(made.id).at(-1), "ok");
      assert.deepEqual(seen(await check(made)), ["ap-south ok", "eu-west ok", "us-east ok"]);
    });

    it("mark a later run's change that production has in a region, and name the commit of its pixels", async () => {
      const made = await monitor();
      const capture = async (shown: string, branch?: string) => {
        driver.show("https://example.com/@1280", shown);
        const body = submitRunBody.parse({
          url: "https://example.com",
          project: `shop of ${made.id}`,
          branch,
        });
        const { id } = await context.ask("runs.submit", { id: newId("run"), body }, made.admin);
        await until(async () => (await context.ask("runs.get", { id }, made.admin)).completedAt !== null);
        return id;
      };
      await context.ask("runs.approve", { runId: await capture("old") }, made.admin);
      await context.runs.em().execute("update runs.baseline set sha = 'c0ffee' where environment = ''");
      for (const region of REGIONS) show("/", region, "old");
      await check(made);
      for (const region of ["eu-west", "us-east"]) show("/", region, "banner");
      const changed = await check(made);
      const runId = await capture("banner", "feature");
      const { data } = await context.ask("runs.screenshots", { runId, query: { limit: 1 } }, made.admin);
      const { production, status } = data.at(0) ?? assert.fail("There is no screenshot.");
      assert.deepEqual(
        [status, production?.monitorId, production?.since],
        ["changed", made.id, changed.startedAt],
      );
      const seenFrom = new URL(production?.link ?? "").searchParams.get("environment");
      assert.ok(seenFrom === "@eu-west" || seenFrom === "@us-east", String(seenFrom));
      const query = looksQuery.parse({ route: "/", viewport: 1280, environment: seenFrom });
      const { looks } = await context.ask("monitors.looks", { id: made.id, query }, made.admin);
      assert.deepEqual(
        looks.map(({ id, commit }) => [id === production?.lookId, commit?.sha]),
        [
          [false, "c0ffee"],
          [true, undefined],
        ],
      );
    });

    it("count a page as down if enough regions can't load it, and name them", async () => {
      const made = await monitor({ routes: ["/", "/b"] });
      await check(made);
      show("/b", "ap-south", DOWN);
      const one = await check(made);
      assert.deepEqual([one.outcome, one.regions[0]?.down], ["ok", 1]);
      assert.deepEqual(lastReport(made.id)?.uncaptured, []);
      show("/b", "eu-west", DOWN);
      const two = await check(made);
      assert.deepEqual([two.outcome, two.error], ["down", "From ap-south and eu-west: It answered 500."]);
      assert.equal(context.alerts.of(made.id).at(-1), "down /b");
    });

    it("say that a region has no renderer, and let the others decide", async () => {
      const made = await monitor();
      await check(made);
      context.regions.delete("ap-south");
      for (const region of ["eu-west", "us-east"]) show("/", region, "new look");
      const ended = await checkWithout(made);
      assert.deepEqual([ended.outcome, seen(ended)[0]], ["changed", "ap-south no_node"]);
      assert.equal(
        context.rendered.filter(page => page.includes("ap-south")).length,
        1,
        "no job waits for it",
      );
      const runs = await driver.runsOf(made.admin);
      const first = runs.find(({ progress }) => progress.total === 3);
      const query = { limit: 9 };
      const { data } = await context.ask("runs.screenshots", { runId: first?.id ?? "", query }, made.admin);
      const away = data.find(({ environment }) => environment === "@ap-south");
      assert.match(away?.error ?? "", /^No renderer of the region ap-south is connected\. Ask the operator/);
    });

    it("don't start the other regions' captures again if a region goes away", async () => {
      const made = await monitor();
      await check(made);
      context.rendered.length = 0;
      const captured = Promise.withResolvers<string>();
      for (const region of REGIONS)
        context.shows.set(`https://example.com/ (@${region})@1280`, [() => captured.promise]);
      await context.ask("monitors.run", { id: made.id, checkId: newId("chk") }, made.admin);
      await until(() => context.rendered.length === 3);
      context.regions.delete("ap-south");
      await followRenderers(context.runs);
      captured.resolve("as ever");
      await until(async () => (await driver.checksOf(made.admin, made.id))[0]?.endedAt != null);
      await driver.waitUntilReported(made.id);
      assert.equal(context.rendered.filter(page => page.includes("eu-west")).length, 1);
    });

    it("have no result if too few regions have a renderer, and keep an open alert", async () => {
      const made = await monitor();
      await check(made);
      for (const region of REGIONS) show("/", region, "new look");
      assert.equal((await check(made)).outcome, "changed");
      context.regions.delete("ap-south");
      context.regions.delete("us-east");
      show("/", "eu-west", "as ever");
      const ended = await checkWithout(made);
      assert.deepEqual(seen(ended), ["ap-south no_node", "eu-west ok", "us-east no_node"]);
      assert.equal(ended.outcome, "failed");
      assert.match(ended.error ?? "", /region ap-south is connected.*region us-east is connected/);
      assert.equal((await context.get(made.admin, made.id)).status, "changed");
      assert.equal(context.alerts.of(made.id).at(-1), "changed /@1280");
    });

    it("ask a region again that lost its only page", async () => {
      const made = await monitor();
      await check(made);
      const lost = { blame: "service", reason: "Lost." } as const;
      show("/", "eu-west", "banner");
      context.shows.set("https://example.com/ (@us-east)@1280", [lost, "banner"]);
      const ended = await check(made);
      assert.deepEqual([ended.outcome, seen(ended)[2]], ["changed", "us-east failing"]);
    });

    it("report pages on which too few regions say anything as not captured", async () => {
      const made = await monitor({ routes: ["/", "/b"] });
      await check(made);
      for (const region of REGIONS.slice(0, 2)) show("/b", region, { blame: "service", reason: "Lost." });
      for (const region of REGIONS) show("/", region, "new look");
      assert.equal((await check(made)).outcome, "changed");
      assert.deepEqual(
        lastReport(made.id)?.uncaptured.map(({ route, viewport }) => `${route} ${viewport}`),
        ["/b 1280", "/b 0"],
      );
    });

    it("work in each state and environment, and for reruns", async () => {
      const made = await monitor({ options: OPEN_AND_DARK, regions: ["eu-west"], agree: 1 });
      const first = await check(made);
      assert.deepEqual(
        context.rendered.toSorted(),
        ["/ (@eu-west)", "/ (dark@eu-west)", "/ › open (@eu-west)", "/ › open (dark@eu-west)"].map(
          page => `${page}@1280`,
        ),
      );
      driver.show("https://example.com/ › open (dark@eu-west)@1280", "new look");
      assert.equal((await check(made)).outcome, "changed");
      assert.equal(context.alerts.of(made.id).at(-1), "changed / › open (dark)@1280");
      context.rendered.length = 0;
      const rerun = await context.ask("runs.rerun", { id: first.runId }, made.admin);
      await until(
        async () => (await context.ask("runs.get", { id: rerun.id }, made.admin)).completedAt !== null,
      );
      assert.equal(context.rendered.length, 4);
      assert.ok(context.rendered.every(page => page.includes("@eu-west")));
    });

    it("can be changed, within the number of screenshots and regions", async () => {
      const made = await monitor();
      const change = (body: object) => context.ask("monitors.change", { id: made.id, body }, made.admin);
      await assert.rejects(change({ regions: ["eu-west"] }), { type: "invalid_request" });
      await assert.rejects(change({ agree: 4 }), { type: "invalid_request" });
      const viewports = [375, 480, 600, 768, 900, 1024, 1280];
      const routes = Array.from({ length: 5 }, (_, index) => `/${index}`);
      await assert.rejects(change({ viewports, routes }), /105 screenshots/);
      await change({ regions: [], agree: 1 });
      const plain = await check(made);
      assert.deepEqual([plain.outcome, plain.regions, plain.drift[0]?.region], ["established", [], null]);
      const view = await context.get(made.admin, made.id);
      assert.deepEqual([view.regions, view.agree], [[], 1]);
    });
  });
