import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { deleteOldAvailability } from "../../../services/monitors/queries/availability.store.ts";
import { type Availability, uptimeView } from "../../../shared/contracts/monitors/availability.ts";
import { RECENT_CHECKS } from "../../../shared/contracts/monitors/checks.ts";
import { driftView, MAX_SERIES_POINTS } from "../../../shared/contracts/monitors/monitor-series.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { type DatabaseKind, MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { seedChecks } from "../../support/rows/seed-checks.ts";

/** Hourly checks of 90 days. */
const MANY = 90 * 24;

const seriesOn = (database: DatabaseKind) => () => {
  database.needed();
  let made: TestDatabase;
  let context: MonitorTestContext;

  before(async () => {
    made = await database.make();
    context = await MonitorTestContext.start(made);
  });
  after(async () => {
    await context?.stop();
    await made?.remove();
  });

  const drift = (caller: Caller, id: string, days: number) =>
    context.ask("monitors.drift", { id, query: { days } }, caller);

  it("lists a monitor's latest checks, oldest first, like the history", async () => {
    const admin = context.team();
    const { id } = await context.create(admin);
    const url = "https://example.com/@1280";
    context.shows.set(url, ["as ever", "other"]);
    const first = await context.check(admin, id);
    const second = await context.check(admin, id);
    const { recentChecks } = await context.get(admin, id);
    assert.deepEqual(recentChecks, [
      {
        id: first.id,
        runId: first.runId,
        outcome: "established",
        startedAt: first.startedAt,
        ratio: null,
      },
      {
        id: second.id,
        runId: second.runId,
        outcome: "changed",
        startedAt: second.startedAt,
        ratio: second.drift[0]?.ratio,
      },
    ]);
    assert.equal(recentChecks[1]?.ratio, 0.25);
    const { stretches, pages, threshold } = await drift(admin, id, 1);
    assert.equal(threshold, 0.02);
    assert.deepEqual(pages, [
      {
        ...{ route: "/", state: null, environment: null, viewport: 1280 },
        ratios: stretches.length === 1 ? [0.25] : [null, 0.25],
        faintPixels: stretches.map(() => 0),
      },
    ]);
    assert.equal(stretches.at(-1)?.runId, second.runId);
    assert.equal(stretches.at(-1)?.changed, 1);
  });

  it("counts pixels with a slightly different color where no others changed", async () => {
    const admin = context.team();
    const { id } = await context.create(admin);
    context.shows.set("https://example.com/@1280", ["blue", "other blue"]);
    context.faintPixels = 18;
    try {
      await context.check(admin, id);
      const { outcome, drift: pages, faintPixels } = await context.check(admin, id);
      assert.deepEqual([outcome, faintPixels], ["ok", 18]);
      assert.deepEqual(
        pages.map(page => [page.ratio, page.faintPixels, page.minor]),
        [[0, 18, true]],
      );
      const { pages: lines } = await drift(admin, id, 1);
      assert.deepEqual(
        lines.map(line => [line.ratios.at(-1), line.faintPixels.at(-1)]),
        [[0, 18]],
      );
    } finally {
      context.faintPixels = 0;
    }
  });

  it("sums up uptime and response times per page and period, once per check", async () => {
    const admin = context.team();
    const { id } = await context.create(admin, { routes: ["/", "/cart"] });
    context.shows.set("https://example.com/cart@1280", [
      "as ever",
      { blame: "page", reason: "It answers 500." },
    ]);
    context.responseMs = 200;
    await context.check(admin, id);
    context.responseMs = 400;
    await context.check(admin, id);
    context.responseMs = null;
    const view = uptimeView.parse(await context.ask("monitors.uptime", { id, query: { days: 1 } }, admin));
    const facts = ({ day }: Pick<Availability, "day">) => [
      day.uptime,
      day.checks,
      day.responseMs,
      day.slowestMs,
    ];
    assert.deepEqual(facts(view.monitor), [0.5, 2, 300, 400]);
    assert.deepEqual(
      view.pages.map(({ route, ...page }) => [route, ...facts(page)]),
      [
        ["/", 1, 2, 300, 400],
        ["/cart", 0.5, 2, 200, 200],
      ],
    );
    assert.equal(view.monitor.quarter.uptime, 0.5);
    assert.equal(
      view.monitor.points.reduce((sum, { up, down }) => sum + up + down, 0),
      2,
    );
    const monitor = await context.get(admin, id);
    assert.deepEqual(monitor.availability.month, view.monitor.month);
    // Another URL is another site.
    await context.ask("monitors.change", { id, body: { url: "https://example.org" } }, admin);
    assert.equal((await context.get(admin, id)).availability.day.uptime, null);
  });

  it("deletes sums that no period reads", async () => {
    const admin = context.team();
    const { id } = await context.create(admin);
    await context.check(admin, id);
    await context.sql("update monitors.availability set at = at - interval '20 days' where monitor_id = ?", [
      id,
    ]);
    await deleteOldAvailability(context.monitors.em());
    const units = await context.sql("select distinct unit from monitors.availability where monitor_id = ?", [
      id,
    ]);
    assert.deepEqual(units, [{ unit: "day" }]);
  });

  it("reduces 90 days of hourly checks to a few points with the largest differences", async () => {
    const admin = context.team();
    const { id } = await context.create(admin, {
      routes: ["/", "/cart"],
      viewports: [375, 1280],
      paused: true,
    });
    await seedChecks(context.sql.bind(context), {
      ...{ monitorId: id, teamId: admin.teamId, count: MANY, everyMinutes: 60 },
      pages: ["/", "/cart"].flatMap(route => [375, 1280].map(viewport => ({ route, viewport }))),
      ratioOf: "case when n = 1000 and page.route = '/cart' and page.viewport = 375 then 0.4 else 0.001 end",
    });
    const view = driftView.parse(await drift(admin, id, 90));
    assert.ok(
      view.stretches.length >= MAX_SERIES_POINTS - 1 && view.stretches.length <= MAX_SERIES_POINTS + 1,
    );
    const checks = view.stretches.reduce((sum, stretch) => sum + stretch.checks, 0);
    assert.ok(checks > MANY - 3 && checks <= MANY, `${checks}`);
    assert.equal(view.pages.length, 4);
    assert.deepEqual([view.pages[0]?.route, view.pages[0]?.viewport], ["/cart", 375]);
    for (const { ratios } of view.pages) assert.equal(ratios.length, view.stretches.length);
    assert.equal(view.pages[0]?.ratios.filter(ratio => ratio === 0.4).length, 1);
    assert.equal(Math.max(...(view.pages[1]?.ratios.map(ratio => ratio ?? 0) ?? [])), 0.001);
    const week = await drift(admin, id, 7);
    assert.ok(week.pages.every(({ ratios }) => ratios.every(ratio => ratio === 0.001)));
    assert.ok(week.stretches.every(({ checks: many }) => many <= 1));
    const { recentChecks } = await context.get(admin, id);
    assert.equal(recentChecks.length, RECENT_CHECKS);
  });

  it("bounds the checks it reads for very many pages, and finds the largest", async () => {
    const admin = context.team();
    const routes = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const { id } = await context.create(admin, { routes, viewports: [1280], paused: true });
    await seedChecks(context.sql.bind(context), {
      ...{ monitorId: id, teamId: admin.teamId, count: 400, everyMinutes: 5 },
      pages: routes.map(route => ({ route, viewport: 1280 })),
      ratioOf: "case when n = 300 and page.route = '/42' then 0.9 else 0.002 end",
    });
    const view = await drift(admin, id, 90);
    assert.equal(view.pages.length, 100);
    assert.deepEqual(
      [view.pages[0]?.route, Math.max(...(view.pages[0]?.ratios.map(Number) ?? []))],
      ["/42", 0.9],
    );
  });

  it("excludes checks of previous URLs, and other teams", async () => {
    const admin = context.team();
    const { id } = await context.create(admin);
    await context.check(admin, id);
    assert.equal((await drift(admin, id, 7)).stretches.length, 1);
    await context.ask("monitors.change", { id, body: { url: "https://other.example" } }, admin);
    const { stretches, pages } = await drift(admin, id, 7);
    assert.deepEqual([stretches, pages], [[], []]);
    await assert.rejects(drift(context.team(), id, 7), { type: "not_found" });
  });

  it("cancels snoozes of the team's own monitors only", async () => {
    const admin = context.team();
    const { id } = await context.create(admin);
    await context.ask("monitors.snooze", { id, hours: 3 }, admin);
    await assert.rejects(context.ask("monitors.unsnooze", { id }, context.team()), { type: "not_found" });
    assert.notEqual((await context.get(admin, id)).snoozedUntil, null);
    await context.ask("monitors.unsnooze", { id }, admin);
    assert.equal((await context.get(admin, id)).snoozedUntil, null);
  });
};

describe("Chart data of monitors", () => {
  for (const database of MAIN_DATABASES) describe(`on ${database.name}`, seriesOn(database));
});
