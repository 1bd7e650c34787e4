import assert from "node:assert/strict";
import { notScheduledBecause } from "../../../services/monitors/queries/present-monitor.ts";
import { changeOptions } from "../../../services/monitors/settings/capture-options.ts";
import { phaseOf } from "../../../services/monitors/settings/create-monitor.ts";
import { monitorOptionsSchema } from "../../../shared/contracts/capture/capture-options.ts";
import {
  changeMonitorBody,
  createMonitorBody,
  snoozeBody,
} from "../../../shared/contracts/monitors/monitors.ts";
import { newId } from "../../../shared/ids.ts";

const REGION = { x: 0, y: 0, width: 9, height: 9 };

describe("The body of a monitor", () => {
  const whole = { name: "Home", url: "https://example.com" };
  const faults: [body: object, paths: string[]][] = [
    [{}, ["name", "url"]],
    [{ name: " ", url: "example.com" }, ["name", "url"]],
    [{ ...whole, url: "https://me:secret@example.com" }, ["url"]],
    [{ ...whole, url: "file:///etc/passwd" }, ["url"]],
    [{ ...whole, routes: [] }, ["routes"]],
    [{ ...whole, routes: ["a"] }, ["routes.0"]],
    [{ ...whole, routes: ["//evil.example"] }, ["routes.0"]],
    [{ ...whole, viewports: [239, 3841] }, ["viewports.0", "viewports.1"]],
    [{ ...whole, intervalMinutes: 4 }, ["intervalMinutes"]],
    [{ ...whole, intervalMinutes: 10_081 }, ["intervalMinutes"]],
    [{ ...whole, intervalMinutes: 7.5 }, ["intervalMinutes"]],
    [{ ...whole, alertThreshold: 2 }, ["alertThreshold"]],
    [{ ...whole, alerts: { slack: "hooks" } }, ["alerts.slack"]],
    [{ ...whole, alerts: { email: ["a@example.com", "nobody"] } }, ["alerts.email.1"]],
    [{ ...whole, alerts: { pagerduty: "short" } }, ["alerts.pagerduty"]],
    [{ ...whole, alerts: { webhook: { url: "https://example.com" } } }, ["alerts.webhook.secret"]],
    [
      { ...whole, alerts: { webhook: { url: "x", secret: "short" } } },
      ["alerts.webhook.url", "alerts.webhook.secret"],
    ],
    [{ ...whole, alerts: { teams: "x" } }, ["alerts"]],
    [{ ...whole, options: { hide: [""], colorThreshold: 2 } }, ["options.colorThreshold", "options.hide.0"]],
    [{ ...whole, options: { ignoreRegions: [{ ...REGION, x: -1 }] } }, ["options.ignoreRegions.0.x"]],
    [{ ...whole, options: { headers: { host: "example.com" } } }, ["options.headers"]],
    [{ ...whole, options: { perRoute: { "/": { viewports: [375] } } } }, ["options.perRoute./"]],
    [{ ...whole, options: { perRoute: { "/": { threshold: 0.1 } } } }, ["options.perRoute./"]],
    [{ ...whole, options: { perRoute: { "/other": {} } } }, ["options.perRoute./other"]],
    [{ ...whole, options: { hide: Array.from({ length: 9 }, () => "a".repeat(1_000)) } }, ["options"]],
    [
      { ...whole, routes: Array.from({ length: 51 }, (_, at) => `/${at}`), viewports: [375, 1280] },
      ["routes"],
    ],
  ];
  for (const [body, paths] of faults) {
    it(`is refused by its fields: ${paths.join(", ")} of ${JSON.stringify(body).slice(0, 80)}`, () => {
      const { error } = createMonitorBody.safeParse(body);
      assert.deepEqual(
        error?.issues.map(({ path }) => path.join(".")),
        paths,
      );
    });
  }

  it("has defaults, and removes duplicates", () => {
    const { routes, viewports, intervalMinutes, alertThreshold, alerts, paused } =
      createMonitorBody.parse(whole);
    assert.deepEqual(
      { routes, viewports, intervalMinutes, alertThreshold, alerts, paused },
      {
        routes: ["/"],
        viewports: [1280],
        intervalMinutes: 60,
        alertThreshold: 0.02,
        alerts: {},
        paused: false,
      },
    );
    assert.deepEqual(createMonitorBody.parse({ ...whole, routes: ["/a", "/a"] }).routes, ["/a"]);
    const named = { alerts: { email: ["Ops@example.com", "b@example.com", "ops@EXAMPLE.com"] } };
    const email = ["Ops@example.com", "b@example.com"];
    assert.deepEqual(createMonitorBody.parse({ ...whole, ...named }).alerts, { email });
    assert.deepEqual(changeMonitorBody.parse(named).alerts, { email });
  });

  it("has no defaults in a change, which needs at least one field", () => {
    assert.deepEqual(changeMonitorBody.parse({ paused: true }), { paused: true });
    assert.ok(!changeMonitorBody.safeParse({}).success);
    assert.ok(!changeMonitorBody.safeParse({ status: "ok" }).success);
  });

  it("accepts snoozes of whole hours, at most a month", () => {
    const accepted = [0, 1, 720, 721, 1.5].filter(hours => snoozeBody.safeParse({ hours }).success);
    assert.deepEqual(accepted, [1, 720]);
  });
});

describe("The options of a monitor", () => {
  const whole = {
    ...{ colorThreshold: 0, masks: [".ad"], hide: [".chat"], waitForSelector: "main" },
    ...{ headers: { "x-a": "1" }, network: [{ url: "**/x", action: "block" as const }] },
    ...{ clock: "2026-01-31T09:00:00Z", random: "real" as const, ignoreRegions: [REGION], perRoute: {} },
    ...{ steps: [{ action: "screenshot" as const }], session: "editor", sessions: { editor: {} } },
    ...{ element: ".card", padding: 0, fullPage: false, maxHeight: 900 },
    ...{ environments: { dark: { colorScheme: "dark" as const } }, defaultEnvironment: false },
  };

  it("include all options of a run, and keep them until a change removes one", () => {
    assert.deepEqual(Object.keys(whole).toSorted(), Object.keys(monitorOptionsSchema.shape).toSorted());
    const { perRoute: _perRoute, ...kept } = changeOptions({}, whole);
    assert.deepEqual(changeOptions(kept, {}), kept);
    assert.deepEqual(Object.keys(kept).length, Object.keys(whole).length - 1, "an empty one is none");
    const names = Object.keys(kept).toSorted();
    for (const name of names) {
      const others = names.filter(other => other !== name);
      assert.deepEqual(Object.keys(changeOptions(kept, { [name]: null })).toSorted(), others);
    }
    assert.deepEqual(changeOptions(kept, { masks: [], hide: ["i"], headers: {} }).hide, ["i"]);
    assert.equal(changeOptions(kept, { masks: [], headers: {} }).masks, undefined);
    assert.equal(changeOptions(kept, { masks: [], headers: {} }).headers, undefined);
  });
});

describe("The schedule of a monitor", () => {
  it("has a stable phase, and spreads monitors evenly that were created together", () => {
    const ids = Array.from({ length: 10_000 }, () => newId("mon"));
    assert.deepEqual(ids.map(phaseOf), ids.map(phaseOf));
    const tenths = Map.groupBy(ids, id => Math.floor(phaseOf(id) * 10));
    assert.equal(tenths.size, 10);
    for (const [tenth, members] of tenths)
      assert.ok(Math.abs(members.length - 1_000) < 200, `${tenth}: ${members.length}`);
  });
});

describe("Why a monitor is not scheduled", () => {
  const pro = { name: "pro", monitors: 10 } as const;
  const cases: [monitor: Parameters<typeof notScheduledBecause>[0], words: RegExp | null][] = [
    [{ hold: null, paused: false }, null],
    [{ hold: null, paused: true }, /^The monitor is paused/],
    [{ hold: "plan", paused: false }, /pro plan has no scheduled checks.*business/],
    [{ hold: "over", paused: true }, /pro plan allows 10 monitors.*on hold.*upgrade/],
  ];
  for (const [monitor, words] of cases) {
    it(`is explained for ${JSON.stringify(monitor)}`, () => {
      const because = notScheduledBecause(monitor, pro);
      if (words) assert.match(because ?? "", words);
      else assert.equal(because, null);
    });
  }
});
