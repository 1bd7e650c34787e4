import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { pauseMs } from "../../../dashboard/api/event-stream.ts";
import { Reloader, restMs } from "../../../dashboard/api/reloader.ts";
import {
  type AppLocation,
  locationAfterSignIn,
  parseAddress,
  parseLocation,
  urlOf,
} from "../../../dashboard/app-location.ts";
import { firstSetting, settingsOf } from "../../../dashboard/settings/open-settings.rule.ts";
import { relativeTime } from "../../../dashboard/texts/format.ts";
import { DASHBOARD_ROUTES } from "../../../services/gateway/routes/dashboard-routes.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { until } from "../../support/drivers/until.ts";

describe("a URL of the dashboard", () => {
  const locations: [address: string, location: AppLocation][] = [
    ["runs", { page: "runs", filters: {} }],
    [
      "runs?status=failed&project=acme%2Fshop&branch=a+b",
      { page: "runs", filters: { status: "failed", project: "acme/shop", branch: "a b" } },
    ],
    ["runs?conclusion=changed", { page: "runs", filters: { conclusion: "changed" } }],
    [
      "runs?conclusion=changed&monitors=1",
      { page: "runs", filters: { conclusion: "changed", monitors: "1" } },
    ],
    ["runs/run_1", { page: "run", id: "run_1" }],
    [
      "runs/run_1?find=%2Fa&standing=changed&viewport=375",
      { page: "run", id: "run_1", find: "/a", standing: "changed", viewport: 375 },
    ],
    [
      "runs/run_1?environment=dark&viewport=375",
      { page: "run", id: "run_1", environment: "dark", viewport: 375 },
    ],
    ["review/run_1", { page: "review", id: "run_1" }],
    ["review/run_1?shot=shot_2&mode=swipe", { page: "review", id: "run_1", shot: "shot_2", mode: "swipe" }],
    [
      "review/run_1?shot=shot_2&mode=side&find=%2Fa&standing=changed&environment=dark&viewport=375",
      {
        ...{ page: "review", id: "run_1", shot: "shot_2", mode: "side" },
        ...{ find: "/a", standing: "changed", environment: "dark", viewport: 375 },
      },
    ],
    ["baselines", { page: "baselines" }],
    [
      "baselines?project=acme%2Fshop&branch=a+b&find=pri",
      { page: "baselines", project: "acme/shop", branch: "a b", find: "pri" },
    ],
    ["baselines?project=p&monitors=1", { page: "baselines", project: "p", monitors: "1" }],
    ["baselines?project=p&pr=7", { page: "baselines", project: "p", pr: 7 }],
    [
      "baselines/history?project=p&route=%2F%3Fa%3D1&viewport=375&entry=base_1",
      {
        ...{ page: "history", project: "p", route: "/?a=1", state: null, environment: null },
        ...{ viewport: 375, entry: "base_1" },
      },
    ],
    [
      "baselines/history?project=p&route=%2F&state=menu+open&environment=dark&viewport=375",
      { page: "history", project: "p", route: "/", state: "menu open", environment: "dark", viewport: 375 },
    ],
    ["baselines/overview?project=acme%2Fshop", { page: "overview", project: "acme/shop" }],
    ["baselines/noise?project=acme%2Fshop", { page: "noise", project: "acme/shop" }],
    ["baselines/configuration?project=acme%2Fshop", { page: "configuration", project: "acme/shop" }],
    [
      "baselines/configuration?project=p#ignore-rules",
      { page: "configuration", project: "p", section: "ignore-rules" },
    ],
    ["monitors", { page: "monitors" }],
    ["monitors/new", { page: "new-monitor" }],
    ["monitors/mon_1", { page: "monitor", id: "mon_1", isEdited: false }],
    ["monitors/mon_1?edit", { page: "monitor", id: "mon_1", isEdited: true }],
    ["settings", { page: "settings-start" }],
    ["settings/account", { page: "settings", setting: "account" }],
    ["settings/team", { page: "settings", setting: "team" }],
    [
      "settings/code-host?code=c1&state=s1",
      { page: "settings", setting: "code-host", created: { code: "c1", state: "s1" } },
    ],
    ["billing", { page: "billing", checkout: null }],
    ["billing?checkout=done", { page: "billing", checkout: "done" }],
    ["sign-in", { page: "sign-in", next: "" }],
    ["sign-in?next=review%2Frun_1%3Fshot%3Dshot_2", { page: "sign-in", next: "review/run_1?shot=shot_2" }],
  ];
  for (const [address, location] of locations) {
    it(`${address} is a place, and the place is that address`, () => {
      assert.deepEqual(parseAddress(address), location);
      assert.equal(urlOf(location), address);
    });
  }

  it("has a page of the service, so that a reload finds it", () => {
    const routes = Object.keys(DASHBOARD_ROUTES).map(
      route => new RegExp(`^GET /${route.slice("GET /".length).replace(/:[^/]+/g, "[^/]+")}$`),
    );
    for (const [address] of locations) {
      const request = `GET /${address.split(/[?#]/)[0]}`;
      assert.ok(
        routes.some(route => route.test(request)),
        request,
      );
    }
  });

  it("is unknown without a page", () => {
    for (const path of ["", "nothing", "settings/money", "review", "runs/a/b", "runs/%E0%A4%A/x"])
      assert.deepEqual(parseLocation(path, ""), { page: "unknown" }, path);
  });

  it("opens no history without a project and a route", () => {
    for (const search of [
      "",
      "?project=p&route=/",
      "?project=p&route=/&viewport=x",
      "?project=p&viewport=375",
    ])
      assert.deepEqual(parseLocation("baselines/history", search), { page: "unknown" }, search);
    assert.deepEqual(parseLocation("baselines/other", "?project=p"), { page: "unknown" });
    assert.deepEqual(parseLocation("baselines", "?project=p&pr=-1&branch="), {
      page: "baselines",
      project: "p",
    });
  });

  it("ignores values that the service doesn't know", () => {
    assert.deepEqual(parseAddress("/baselines/configuration?project=p#other"), {
      page: "configuration",
      project: "p",
    });
    assert.deepEqual(parseLocation("runs", "?status=fine&conclusion=so&project="), {
      page: "runs",
      filters: {},
    });
    assert.deepEqual(parseLocation("runs/run_1", "?find=&standing=fine&viewport=-1"), {
      page: "run",
      id: "run_1",
    });
  });

  it("leads to the dashboard after sign-in", () => {
    const runs = { page: "runs", filters: {} };
    for (const next of [
      "",
      "https://evil.example",
      "//evil.example/runs",
      "javascript:alert(1)",
      "sign-in?next=x",
    ])
      assert.deepEqual(locationAfterSignIn(next), runs, next);
    assert.deepEqual(locationAfterSignIn("runs/run_1"), { page: "run", id: "run_1" });
    assert.deepEqual(locationAfterSignIn("/review/run_1?shot=s"), { page: "review", id: "run_1", shot: "s" });
  });
});

describe("the settings without a page", () => {
  const me = (role: Role | null) => ({
    session: { team: role && { role } },
    may: (least: Role) => role === "admin" || role === least,
    isOperator: false,
  });

  it("lead to the first page that the reader may open", () => {
    assert.deepEqual(firstSetting(me("admin")), { page: "settings", setting: "team" });
    assert.deepEqual(firstSetting(me("viewer")), { page: "settings", setting: "team" });
    assert.deepEqual(firstSetting(me(null)), { page: "settings", setting: "account" });
  });

  it("list no page of a team for users without one", () => {
    assert.deepEqual(
      settingsOf(me(null)).map(({ setting }) => setting),
      ["account"],
    );
  });
});

describe("a stream of events", () => {
  it("reopens with growing random pauses", () => {
    const pauses = Array.from({ length: 12 }, (_, failures) => pauseMs(failures, 1));
    assert.deepEqual(pauses.slice(0, 6), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    assert.equal(pauses.at(-1), 30_000);
    assert.equal(pauseMs(3, 0), 4_000);
  });
});

describe("a reloader", () => {
  it("never loads twice at the same time, and loads once more for all later changes", async () => {
    const started: PromiseWithResolvers<void>[] = [];
    const reading = new Reloader(() => {
      const read = Promise.withResolvers<void>();
      started.push(read);
      return read.promise;
    });
    for (let times = 0; times < 5; times += 1) reading.soon();
    assert.equal(started.length, 1);
    started[0]?.reject(new Error("It does not answer."));
    await until(() => started.length === 2);
    started[1]?.resolve();
    await delay(50);
    assert.equal(started.length, 2);
    reading.soon();
    // At once, or after the pause of a slow machine.
    await until(() => started.length === 3);
    started[2]?.resolve();
  });
});

describe("the pause of a reloader", () => {
  it("grows with the loading time, and is limited after a sleep", () => {
    assert.deepEqual([0, 100, 3_000, 8 * 3_600_000].map(restMs), [0, 200, 6_000, 10_000]);
  });
});

describe("a formatted time", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  const ago = (seconds: number) => relativeTime(now - seconds * 1000, now);

  it("is relative, and a date from a day on", () => {
    assert.equal(ago(3), "just now");
    assert.equal(ago(120), "2 min. ago");
    assert.equal(ago(3 * 3600), "3 hr. ago");
    assert.equal(ago(-600), "in 10 min.");
    assert.match(ago(3 * 86_400), /^Mar 1, 2026/);
  });
});
