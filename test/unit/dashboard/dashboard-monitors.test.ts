import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { differenceAt } from "../../../dashboard/monitors/chart/difference-at.ts";
import {
  barsOf,
  nearestTo,
  pathOf,
  scaleOf,
  sinceCreation,
} from "../../../dashboard/monitors/chart/drift-scale.ts";
import { openingDays } from "../../../dashboard/monitors/chart/selection.ts";
import {
  changesOf,
  channelsOf,
  createBodyOf,
  failureIn,
} from "../../../dashboard/monitors/form/monitor-body.ts";
import { receiversOf } from "../../../dashboard/monitors/form/receivers.ts";
import { monitorBadge } from "../../../dashboard/monitors/monitor-status.ts";
import { formatHost } from "../../../dashboard/texts/format.ts";
import { incidentTexts, resolutionText, timelineTexts } from "../../../dashboard/texts/monitors/incidents.ts";
import {
  checkText,
  holdText,
  intervalText,
  lastCheckText,
  monitorTexts,
  projectName,
  recentChecksText,
} from "../../../dashboard/texts/monitors/monitors.ts";
import { regionsText, regionTexts } from "../../../dashboard/texts/monitors/regions.ts";
import { shortDifference } from "../../../dashboard/ui/text/short-difference.ts";
import type { NotificationView } from "../../../shared/contracts/monitors/alerts.ts";
import type { RecentCheck } from "../../../shared/contracts/monitors/checks.ts";
import type { IncidentSummary } from "../../../shared/contracts/monitors/incidents.ts";
import { createMonitorBody, type MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { monitorOfProject, projectOf } from "../../../shared/monitor-project.ts";
import { percent } from "../../../shared/text/format.ts";

const NO_CHECKS = { uptime: null, checks: 0, responseMs: null, slowestMs: null };
const NO_AVAILABILITY = { day: NO_CHECKS, week: NO_CHECKS, month: NO_CHECKS, quarter: NO_CHECKS };

const MONITOR: MonitorView = {
  ...{ http: null, httpCheck: null, regions: [], agree: 1 },
  ...{
    id: "mon_1",
    name: "Shop",
    url: "https://example.com",
    routes: ["/", "/cart"],
    viewports: [375, 1280],
  },
  ...{ intervalMinutes: 90, alertThreshold: 0.003, paused: false, hold: null, scheduled: true },
  options: { hide: [".chat", ".banner"], headers: ["x-key"] },
  alerts: {
    slack: { tail: "wxyz" },
    email: ["a@example.com"],
    pagerduty: null,
    incidents: null,
    webhook: { host: "receiver.example", tail: "e/in" },
  },
  ...{ notScheduledBecause: null, status: "ok", nextRunAt: null, currentCheck: null, lastCheck: null },
  ...{
    recentChecks: [],
    lastChangeAt: null,
    uptime: null,
    availability: NO_AVAILABILITY,
    maintenance: null,
    tags: [],
    badgeUrl: null,
    certificate: null,
    snoozedUntil: null,
    alertingSince: null,
  },
  createdAt: "2026-11-21T12:00:00.000Z",
};

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** The form, filled in for the monitor. */
const FILLED = {
  ...{ name: "Shop", url: "https://example.com", routes: "/\n/cart", viewports: "375, 1280" },
  ...{ every: "90", unit: "1", threshold: "0.3", email: "a@example.com" },
  ...{ slack: "", pagerduty: "", "webhook-url": "", "webhook-secret": "" },
  ...{ hide: ".chat\n.banner", masks: "", "wait-for": "", "color-threshold": "" },
};

describe("A project's name", () => {
  it("is the monitor's name for its baselines, with the number of its site once that changed", () => {
    const named = (project: string) => projectName(project, "Shop");
    assert.equal(named("acme/shop"), "acme/shop");
    assert.equal(named("monitor/mon_01m8"), "Shop");
    assert.equal(named("monitor/mon_01m8/2"), "Shop (URL 2)");
    assert.equal(named("monitor/other"), "monitor/other");
  });

  it("is kept otherwise", () => {
    for (const generation of [1, 3])
      assert.deepEqual(monitorOfProject(projectOf("mon_01m8", generation)), { id: "mon_01m8", generation });
  });
});

describe("A new monitor", () => {
  it("has a chart of its own age, and of a week at most", () => {
    const now = Date.parse("2026-11-22T12:00:00.000Z");
    const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
    assert.equal(openingDays(daysAgo(0.01), now), 1);
    assert.equal(openingDays(daysAgo(2), now), 7);
    assert.equal(openingDays(daysAgo(20), now), 7);
    assert.equal(openingDays(daysAgo(400), now), 7);
  });

  it("isn't shown as unchanged before its first check", () => {
    assert.deepEqual(monitorBadge({ status: "never" }), { name: "pending", word: "Not checked yet" });
  });
});

describe("A monitor's form", () => {
  it("sends no unchanged fields", () => {
    assert.equal(changesOf(formOf(FILLED), MONITOR), null);
    const changes = changesOf(formOf({ ...FILLED, every: "3", unit: "60", threshold: "0,29" }), MONITOR);
    assert.deepEqual(changes, { intervalMinutes: 180, alertThreshold: 0.0029 });
    assert.deepEqual(changesOf(formOf({ ...FILLED, routes: " /cart \n\n/" }), MONITOR), {
      routes: ["/cart", "/"],
    });
  });

  it("keeps a channel whose field is empty, and removes a ticked one", () => {
    const channels = (fields: object) => channelsOf(formOf({ ...FILLED, ...fields }), MONITOR.alerts);
    assert.deepEqual(channels({}), {});
    assert.deepEqual(channels({ "slack-away": "on", email: " " }), { slack: null, email: null });
    assert.deepEqual(channels({ "webhook-secret": "another-secret-of-it" }), {
      webhook: { secret: "another-secret-of-it" },
    });
    assert.deepEqual(channels({ email: "a@example.com, b@example.com" }), {
      email: ["a@example.com", "b@example.com"],
    });
    // A monitor whose fields the reader may not see.
    assert.deepEqual(channelsOf(formOf({ name: "Shop" }), { ...MONITOR.alerts, email: [] }), {});
  });

  it("keeps unchanged options, and removes emptied or ticked ones", () => {
    const changes = (fields: object) => changesOf(formOf({ ...FILLED, ...fields }), MONITOR)?.options;
    assert.equal(changes({ hide: ".chat\n .banner ", headers: "" }), undefined);
    assert.deepEqual(changes({ hide: "", masks: ".clock", "wait-for": "main" }), {
      hide: null,
      masks: [".clock"],
      waitForSelector: "main",
    });
    assert.deepEqual(changes({ "headers-away": "on" }), { headers: null });
    assert.deepEqual(changes({ headers: "Authorization: Bearer a:b\nX-Flag:1" }), {
      headers: { Authorization: "Bearer a:b", "X-Flag": "1" },
    });
    const withHeaders = changesOf(formOf({ ...FILLED, headers: "X-Flag: 1" }), MONITOR);
    assert.equal(withHeaders?.url, MONITOR.url, "they are for the site that the form shows");
    assert.deepEqual(changes({ headers: "a-token-alone" }), { headers: { "": "a-token-alone" } });
    const body = createBodyOf(formOf({ ...FILLED, hide: ".chat", headers: "a-token-alone" }));
    const { error } = createMonitorBody.safeParse(body);
    assert.deepEqual(
      error?.issues.map(({ path }) => path),
      [["options", "headers", ""]],
    );
    assert.deepEqual(changes({ "color-threshold": "0,05" }), { colorThreshold: 0.05 });
    // Not a number, which must not be sent as null.
    assert.deepEqual(changes({ "color-threshold": "much" }), { colorThreshold: -1 });
    assert.deepEqual(changes({ "color-threshold": "Infinity" }), { colorThreshold: -1 });
    const oddly: MonitorView = {
      ...MONITOR,
      options: { hide: [" .chat\n,.banner "], waitForSelector: " main " },
    };
    assert.equal(changesOf(formOf({ ...FILLED, hide: ".chat\n,.banner", "wait-for": "main" }), oddly), null);
  });

  it("reports invalid numbers in the form's own units", () => {
    const form = formOf({ ...FILLED, threshold: "", every: "" });
    const { error } = createMonitorBody.safeParse(JSON.parse(JSON.stringify(createBodyOf(form))));
    const failures = (error?.issues ?? []).map(({ path, message }) => ({ path: path.join("."), message }));
    assert.equal(failureIn("name", failures), undefined);
    assert.match(failureIn("intervalMinutes", failures) ?? "", /from 5 minutes to 1 week\.$/);
    assert.match(failureIn("alertThreshold", failures) ?? "", /number from 0 to 100\.$/);
    assert.ok("alertThreshold" in (changesOf(form, MONITOR) ?? {}), "it is not taken for unchanged");
  });

  it("builds a valid body, and leaves missing fields to the service", () => {
    const body = createBodyOf(formOf({ ...FILLED, email: "", slack: "https://hooks.example.com/x" }));
    assert.deepEqual(body.alerts, { slack: "https://hooks.example.com/x" });
    assert.equal(createMonitorBody.parse(body).intervalMinutes, 90);
    const half = createBodyOf(formOf({ ...FILLED, "webhook-url": "https://receiver.example/in" }));
    const { error } = createMonitorBody.safeParse(half);
    assert.deepEqual(error?.issues[0]?.path, ["alerts", "webhook", "secret"]);
  });

  it("finds the failure of a field and its parts, and of no field with the same prefix", () => {
    const failures = [
      { path: "routes[1]", message: "second" },
      { path: "alerts.webhook.url", message: "url" },
    ];
    assert.equal(failureIn("routes", failures), "second");
    assert.equal(failureIn("alerts.webhook", failures), "url");
    assert.equal(failureIn("route", failures), undefined);
  });
});

describe("A monitor's chart", () => {
  const box = { left: 10, top: 0, width: 100, height: 100 };
  const from = "2026-11-20T00:00:00.000Z";
  const to = "2026-11-21T00:00:00.000Z";
  const drift = { from, to, stretchSeconds: 300, threshold: 0.02, maintenance: [], stretches: [], pages: [] };
  const page = (ratios: (number | null)[]) => ({
    route: "/",
    state: null,
    environment: null,
    viewport: 375,
    ratios,
    faintPixels: ratios.map(() => 0),
  });

  it("spans the whole period, with no change at the bottom", () => {
    const { x, y, ticks } = scaleOf({ ...drift, pages: [page([0.5])] }, box);
    assert.deepEqual([x(Date.parse(from)), x(Date.parse(to))], [10, 110]);
    assert.equal(y(0), 100);
    assert.ok(y(0.5) > 0 && y(0.5) < y(0.02), "the largest difference fits");
    assert.ok(ticks.length > 0 && ticks.every(tick => y(tick) >= 0));
    for (const [index, tick] of ticks.entries())
      if (index > 0) assert.ok(y(ticks[index - 1] ?? 0) - y(tick) >= 20, "labels do not touch");
  });

  it("breaks a line where nothing was compared, and draws a single point as a dot", () => {
    const scale = { x: (ms: number) => ms, y: (ratio: number) => ratio };
    const stretches = [0, 1, 2, 3, 9].map(ms => ({ at: new Date(ms).toISOString() }));
    assert.equal(pathOf([1, 2, null, 4, 5], stretches, scale, 1), "M0.0 1.0h0L1.0 2.0M3.0 4.0h0M9.0 5.0h0");
    assert.equal(
      nearestTo(2.2, stretches, ms => ms),
      2,
    );
    assert.equal(
      nearestTo(2, [], ms => ms),
      -1,
    );
  });

  it("shows the latest check at the right, and every check", () => {
    const check = (outcome: RecentCheck["outcome"], ratio: number | null) => ({
      ...{ id: `chk_${outcome}`, runId: "run_1", startedAt: from, outcome, ratio },
    });
    const bars = barsOf([check("ok", 0), check("changed", 0.16), check("down", null)], 0.02);
    assert.deepEqual(
      bars.map(({ position }) => Math.round(position * 30)),
      [27, 28, 29],
    );
    assert.ok((bars[0]?.share ?? 0) > 0.1);
    assert.deepEqual([bars[1]?.share, bars[2]?.share], [1, 1]);
    assert.equal(
      recentChecksText([check("ok", 0), check("down", null), check("ok", 0.01)]),
      `Last 3 checks: 1 down, 2 passed. Largest difference: ${percent(0.01)}.`,
    );
  });
});

describe("The chart of a new monitor", () => {
  const drift = {
    ...{ from: "2026-11-01T00:00:00.000Z", to: "2026-11-02T00:00:00.000Z" },
    ...{ threshold: 0.02, stretchSeconds: 60, maintenance: [], stretches: [], pages: [], snoozes: [] },
  };

  it("starts at its creation, and has room for the next checks", () => {
    const shown = sinceCreation(drift, { createdAt: "2026-11-01T23:50:00.000Z", intervalMinutes: 60 });
    assert.equal(shown.from, "2026-11-01T23:50:00.000Z");
    assert.equal(shown.to, "2026-11-02T03:50:00.000Z");
    const often = sinceCreation(drift, { createdAt: "2026-11-01T12:00:00.000Z", intervalMinutes: 5 });
    assert.equal(often.to, drift.to);
  });

  it("is the whole period once the monitor is older", () => {
    assert.equal(sinceCreation(drift, { createdAt: "2026-10-01T00:00:00.000Z", intervalMinutes: 5 }), drift);
  });
});

describe("A monitor's texts", () => {
  it("name the reason that it isn't scheduled, the plan before a pause", () => {
    assert.equal(holdText({ hold: null, paused: false }, true), null);
    assert.match(holdText({ hold: "plan", paused: true }, true) ?? "", /need the Business plan/);
    assert.match(holdText({ hold: "over", paused: false }, true) ?? "", /can't be checked or edited/);
    assert.doesNotMatch(holdText({ hold: null, paused: true }, false) ?? "", /Resume/);
  });

  it("use natural units of time, and never round uptime up to 100%", () => {
    assert.deepEqual([5, 60, 90, 120, 1_440, 10_080].map(intervalText), [
      "Every 5 min",
      "Every hour",
      "Every 90 min",
      "Every 2 h",
      "Every day",
      "Every week",
    ]);
    assert.deepEqual([monitorTexts.uptime(1), monitorTexts.uptime(0.99999)], ["100%", "99.99%"]);
    assert.deepEqual(
      [formatHost("https://example.com/"), formatHost("https://example.com/a")],
      ["example.com", "example.com/a"],
    );
  });

  it("name the page with the largest difference first", () => {
    const drift = [
      {
        route: "/",
        stateName: null,
        environment: null,
        region: null,
        viewport: 375,
        ratio: 0.01,
        faintPixels: 0,
        state: "ok" as const,
        minor: true,
      },
      {
        route: "/cart",
        stateName: null,
        environment: null,
        region: null,
        viewport: 375,
        ratio: 0.1,
        faintPixels: 0,
        state: "changed" as const,
        minor: false,
      },
      {
        route: "/pay",
        stateName: null,
        environment: null,
        region: null,
        viewport: 375,
        ratio: 0.05,
        faintPixels: 0,
        state: "changed" as const,
        minor: false,
      },
    ];
    const found = (outcome: "changed" | "ok", of = drift) => checkText({ outcome, error: null, drift: of });
    assert.equal(found("changed"), `/cart at 375 px differs by ${percent(0.1)}, and 1 more page changed`);
    const [minor] = drift.slice(0, 1);
    assert.ok(minor);
    const same = { ...minor, ratio: 0, minor: false };
    assert.equal(found("ok", [same, same]), "2 pages match their baselines");
    assert.equal(found("ok", [minor]), `1 minor change, ${percent(0.01)}`);
    assert.equal(
      found("ok", [same, minor, minor]),
      `1 page matches its baseline, 2 minor changes, up to ${percent(0.01)}`,
    );
    const faint = { ...minor, ratio: 0, faintPixels: 18 };
    assert.equal(found("ok", [faint]), "1 minor change, 18 pixels, slightly different color");
    assert.equal(found("ok", [faint, minor]), `2 minor changes, up to ${percent(0.01)}`);
    assert.equal(checkText({ outcome: "down", error: "It answers 500.", drift }), "It answers 500.");
  });

  it("say what regions saw, and that the last check passed although one of them sees a problem", () => {
    const region = (name: string, outcome: "ok" | "failing" | "no_node", own = {}) => ({
      ...{ region: name, outcome, changed: 0, down: 0, failed: 0 },
      ...own,
    });
    const regions = [
      region("ap-south", "no_node", { failed: 2 }),
      region("eu-west", "failing", { changed: 1, down: 2 }),
      region("us-east", "ok"),
    ];
    const words =
      "Problems seen from eu-west. 2 regions of 3 must agree on a page. Nothing captured from ap-south.";
    assert.equal(regionsText({ regions, agree: 2 }), words);
    assert.equal(regionsText({ regions: [region("us-east", "ok")], agree: 1 }), "");
    assert.equal(regionTexts.found(regions[1] ?? assert.fail()), "1 screenshot changed, 2 screenshots down");
    const check = {
      ...{ id: "chk_1", runId: "run_1", kind: "manual" as const, outcome: "ok" as const, error: null },
      ...{ maintenance: false, attempts: 2, startedAt: "2026-01-01T00:00:00Z", endedAt: null, report: "" },
      faintPixels: 0,
    };
    const recentChecks = [{ ...check, ratio: 0.25 }];
    assert.equal(lastCheckText({ lastCheck: { ...check, regions, agree: 2 }, recentChecks }), words);
    const last = { ...check, regions: [], agree: 1 };
    const same = [{ ...check, ratio: 0 }];
    assert.equal(
      lastCheckText({ lastCheck: { ...last, faintPixels: 18 }, recentChecks: same }),
      "Minor changes only: up to 18 pixels, slightly different color.",
    );
    assert.equal(lastCheckText({ lastCheck: last, recentChecks: same }), "All pages match their baselines.");
  });

  it("show how many pixels have a slightly different color where no others changed", () => {
    const line = {
      ...{ route: "/", state: null, environment: null, viewport: 375 },
      ...{ ratios: [null, 0, 0, 0.1], faintPixels: [0, 0, 18, 0] },
    };
    assert.deepEqual(
      line.ratios.map((_ratio, index) => differenceAt(line, index)),
      ["Not compared", "0%", "18 pixels, slightly different color", "10%"],
    );
    assert.deepEqual(
      [shortDifference(0, 0), shortDifference(0, 18), shortDifference(0.1)],
      ["0%", "18 faint", "10%"],
    );
  });

  it("promise a recovery only of incidents about pages", () => {
    const ended = { resolution: "recovered", resolvedBy: null } as const;
    const of = (kind: IncidentSummary["kind"]) => [
      resolutionText({ kind, ...ended }),
      timelineTexts.opened({ kind }),
      /another incident opens/.test(incidentTexts.resolveAbout({ kind })),
    ];
    assert.deepEqual(of("down"), ["A check found no problem", "Opened by a check", true]);
    for (const kind of ["unchecked", "certificate", "failing"] as const)
      assert.deepEqual(of(kind), ["The problem ended", "Opened", false]);
    assert.equal(
      resolutionText({ kind: "failing", resolution: "manual", resolvedBy: "ada" }),
      "ada resolved the incident",
    );
  });

  it("change the regions of a monitor, and keep them in a form without changes", () => {
    const regional = { ...MONITOR, regions: ["eu-west", "us-east"], agree: 2 };
    const filled = { ...FILLED, regions: "eu-west, us-east", agree: "2" };
    assert.equal(changesOf(formOf(filled), regional), null);
    assert.deepEqual(changesOf(formOf({ ...filled, regions: "EU-west", agree: "1" }), regional), {
      ...{ regions: ["eu-west"], agree: 1 },
    });
  });

  it("show the last notification of each current receiver", () => {
    const sent = (
      channel: NotificationView["channel"],
      receiver: string,
      createdAt: string,
    ): NotificationView => ({
      ...{ id: `dlv_${channel}_${createdAt}`, channel, kind: "changed", receiver, status: "sent" as const },
      ...{ tries: 1, answer: "200 ok", createdAt, nextTryAt: null, endedAt: createdAt },
    });
    const rows = receiversOf(MONITOR.alerts, [
      sent("webhook", "receiver.example/…e/in", "2026-11-20"),
      sent("slack", "hooks.example/…wxyz", "2026-11-19"),
      sent("slack", "hooks.example/…wxyz", "2026-11-21"),
      sent("slack", "hooks.example/…gone", "2026-11-22"),
      sent("pagerduty", "…abcd", "2026-11-20"),
    ]);
    assert.deepEqual(
      rows.map(({ channel, name, last }) => [channel, name, last?.createdAt ?? null]),
      [
        ["slack", "…wxyz", "2026-11-21"],
        ["email", "a@example.com", null],
        ["webhook", "receiver.example…e/in", "2026-11-20"],
      ],
    );
  });
});
