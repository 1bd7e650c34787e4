import assert from "node:assert/strict";
import {
  breakdownOfDay,
  countsOfDay,
  type Day,
  notesOfDay,
} from "../../../bench/monitor-day/describe-day.ts";
import { readMonitorDayOptions } from "../../../bench/monitor-day/options.ts";
import { planMonitors } from "../../../bench/monitor-day/plan-monitors.ts";
import type { CheckScreenshot, EndedCheck } from "../../../bench/monitor-day/read-checks.ts";
import { SITES } from "../../../bench/real-pages/corpus/corpus.ts";
import { createMonitorBody } from "../../../shared/contracts/monitors/monitors.ts";

const REGION = { x: 1, y: 2, width: 3, height: 4 };

describe("The monitors of a day", () => {
  it("watch every page of the corpus once, each with as many as a monitor may have", () => {
    const planned = planMonitors(SITES, { url: "http://localhost:1", widths: [375, 1280] });
    const watched = planned.flatMap(({ url, routes }) => routes.map(route => `${url}${route}`));
    const pages = SITES.flatMap(site => site.pages.map(page => `http://localhost:1/${site.name}/${page}`));
    assert.deepEqual(watched, pages);
    for (const { name, url, routes, viewports } of planned)
      createMonitorBody.parse({ name, url, routes, viewports });
    assert.equal(new Set(planned.map(({ name }) => name)).size, planned.length);
  });

  it("are few in a quick run, and of the sites that were asked for", () => {
    const { sites, widths, hours, quick } = readMonitorDayOptions(["--quick"]);
    assert.deepEqual([sites.length, widths, hours, quick], [8, [1280], 24, true]);
    assert.ok(sites.every(({ pages }) => pages.length === 1));
    const some = readMonitorDayOptions(["--sites", "vis,uikit", "--hours", "2"]);
    assert.deepEqual(
      [some.sites.map(({ name }) => name), some.hours, some.quick],
      [["vis", "uikit"], 2, true],
    );
    assert.deepEqual(
      readMonitorDayOptions([]).sites.map(({ pages }) => pages.length),
      SITES.map(({ pages }) => pages.length),
    );
    assert.throws(() => readMonitorDayOptions(["--hours", "x"]), /--hours takes a whole number/);
  });
});

describe("The results of a day of monitors", () => {
  const check = (id: string, monitor: string, outcome: string): EndedCheck => {
    return { id, monitor, outcome, error: null, startedAt: new Date(0) };
  };
  const screenshot = (
    checkId: string,
    runNumber: number,
    diffPixels: number,
    more: Partial<CheckScreenshot> = {},
  ) => ({
    ...{ checkId, runNumber, diffPixels, monitor: "vis 1", url: "http://localhost:1/vis", route: "/a.html" },
    ...{ viewport: 375, status: diffPixels > 0 ? "changed" : "unchanged", stable: true, attempts: 1 },
    ...{ movingRegions: [], moving: [], regions: [], error: null, hash: "h", baselineHash: "b" },
    ...more,
  });
  const day: Day = {
    checks: [
      check("first", "vis 1", "established"),
      check("second", "vis 1", "ok"),
      check("third", "vis 1", "changed"),
    ],
    screenshots: [
      screenshot("first", 1, 0, { status: "new" }),
      screenshot("second", 1, 7, { movingRegions: [REGION] }),
      screenshot("second", 2, 0),
      screenshot("third", 1, 7),
      screenshot("third", 2, 9, { regions: [REGION] }),
    ],
    alerts: 1,
    hourSeconds: [1, 2],
  };

  it("counts alerts, and confirmed and dismissed results, without the first check", () => {
    const { counts, suspicions } = countsOfDay(day);
    assert.deepEqual(
      counts.map(({ count, total, bar }) => [count, total, bar?.value]),
      [
        [1, 2, 0],
        [1, 2, 0],
        [1, 2, undefined],
        [0, 2, 0],
        [1, 2, undefined],
        [0, 2, undefined],
      ],
    );
    assert.deepEqual(breakdownOfDay(day, suspicions).rows, [{ name: "vis", values: [2, 1, 1, 1] }]);
    assert.deepEqual(notesOfDay(day, suspicions), [
      "vis/a.html at 375 px, hour 2, confirmed: 7 changed pixels; then 9 changed pixels at 1, 2 (3 × 4 px).",
      "vis/a.html at 375 px, hour 1, dismissed: 7 changed pixels; then no changed pixel.",
      "vis/a.html at 375 px: retried in 1 hour, as takes differed at 1, 2 (3 × 4 px).",
    ]);
  });
});
