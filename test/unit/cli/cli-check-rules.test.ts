import assert from "node:assert/strict";
import type { Baseline, Baselines } from "../../../cli/baselines/baselines.ts";
import { movedSteps, pendingSteps, planApproval } from "../../../cli/baselines/plan-approval.ts";
import type { CheckedScreenshot, CheckResult } from "../../../cli/check/check-result.ts";
import { concludeCheck, countScreenshots, otherBrowserWarning } from "../../../cli/check/conclude-check.ts";
import { blankScreenshot, comparedScreenshot } from "../../../cli/check/screenshots/checked-screenshot.ts";
import { findRenames } from "../../../cli/check/screenshots/find-renames.ts";
import { selectScreenshots } from "../../../cli/check/screenshots/select-screenshots.ts";
import type { Plugin } from "../../../cli/plugins/plugin.ts";
import { withNotes } from "../../../cli/plugins/run-hooks.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";

const BROWSER = "chromium 153.0.8010.0";
const PLATFORM = "linux x64";

function shot(more: Partial<CheckedScreenshot> = {}): CheckedScreenshot {
  const route = more.route ?? "/a";
  const blank = blankScreenshot({
    route,
    state: more.state ?? null,
    environment: more.environment ?? null,
    viewport: more.viewport ?? 375,
    threshold: 0.01,
    ignoreRegions: [],
  });
  return { ...blank, status: "unchanged", hash: "now", browser: BROWSER, ...more };
}

function baseline(more: Partial<Baseline> = {}): Baseline {
  return {
    ...{ route: "/a", state: null, environment: null, viewport: 375 },
    ...{ file: "a--375.png", path: "/a--375.png", hash: "file", capture: "then" },
    ...{ width: 375, height: 800, browser: BROWSER, platform: PLATFORM, selectorRegions: [] },
    read: async () => Buffer.alloc(0),
    ...more,
  };
}

function baselines(...all: Baseline[]): Baselines {
  const known = new Map(all.map(each => [keyOf(each), each]));
  return { directory: "/", ref: null, of: of => known.get(keyOf(of)) ?? null, all: () => all };
}

const facts = (hash: string) => ({ file: "", hash, width: 1, height: 1, browser: null, platform: null });

describe("the selection of screenshots", () => {
  const shots = ["/", "/pricing", "/blog/a", "/blog/b/c"].flatMap(route => [
    { route, environment: null, viewport: 375 },
    { route, environment: null, viewport: 1280 },
    { route, environment: "dark", viewport: 1280 },
  ]);
  const routesOf = (...routes: string[]) => [
    ...new Set(selectScreenshots(shots, { routes }).map(({ route }) => route)),
  ];

  it("has all, those of a route, and those of a glob", () => {
    assert.equal(selectScreenshots(shots, {}).length, 12);
    assert.deepEqual(routesOf("/pricing", "blog/*"), ["/pricing", "/blog/a"]);
    assert.deepEqual(routesOf("/blog/**"), ["/blog/a", "/blog/b/c"]);
    assert.deepEqual(selectScreenshots(shots, { routes: ["/"], widths: [1280] }), [
      { route: "/", environment: null, viewport: 1280 },
      { route: "/", environment: "dark", viewport: 1280 },
    ]);
  });

  it("has the pages of an environment, and of the default one by its name", () => {
    const found = (name: string) => selectScreenshots(shots, { environments: [name], routes: ["/"] });
    assert.deepEqual(found("dark"), [{ route: "/", environment: "dark", viewport: 1280 }]);
    assert.deepEqual(
      found("default").map(({ environment, viewport }) => [environment, viewport]),
      [
        [null, 375],
        [null, 1280],
      ],
    );
  });

  it("is never empty because of a typing error", () => {
    assert.throws(() => routesOf("/pricng"), /No route matches \/pricng\. Did you mean \/pricing\?/);
    assert.throws(
      () => selectScreenshots(shots, { widths: [376] }),
      /No route is captured at 376 px. Widths: 375, 1280/,
    );
    const inEnvironment = (name: string) => () => selectScreenshots(shots, { environments: [name] });
    assert.throws(inEnvironment("drak"), /in the environment drak\. Did you mean dark\?/);
    assert.throws(inEnvironment("german"), /in the environment german\. Environments: default, dark\./);
    assert.throws(
      () => selectScreenshots(shots, { environments: ["dark"], widths: [375] }),
      /aren't captured in these environments/,
    );
  });
});

describe("the conclusion of a check", () => {
  const counts = { unchanged: 1, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 };
  const cases: [more: Partial<typeof counts>, conclusion: string][] = [
    [{}, "passed"],
    [{ changed: 1 }, "changed"],
    [{ new: 1 }, "changed"],
    [{ removed: 1 }, "changed"],
    [{ changed: 1, failed: 1 }, "failed"],
  ];
  for (const [more, conclusion] of cases) {
    it(`is ${conclusion} with ${JSON.stringify(more)}`, () => {
      assert.equal(concludeCheck({ ...counts, ...more }), conclusion);
    });
  }

  it("follows from its counts", () => {
    const minor = shot({ minor: true });
    assert.deepEqual(countScreenshots([shot(), shot({ status: "new" }), minor]), {
      ...counts,
      ...{ unchanged: 2, minor: 1, new: 1 },
    });
  });
});

describe("a minor change of a check", () => {
  const compare = (diffPixels: number, diffRatio: number, faintPixels = 0) => {
    const comparison = {
      width: 1,
      height: 1,
      regions: [],
      ignored: [],
      mask: null,
      fingerprint: null,
      faintPixels,
    };
    const { status, minor } = comparedScreenshot(
      shot(),
      baseline(),
      { ...comparison, diffPixels, diffRatio },
      PLATFORM,
    );
    return [status, minor];
  };

  it("is a change within the threshold", () => {
    assert.deepEqual(compare(0, 0), ["unchanged", false]);
    assert.deepEqual(compare(1, 1e-9), ["unchanged", true]);
    assert.deepEqual(compare(0, 0, 1), ["unchanged", true]);
    assert.deepEqual(compare(100, 0.01), ["unchanged", true]);
    assert.deepEqual(compare(101, 0.0101), ["changed", false]);
  });
});

describe("a baseline of another browser or system", () => {
  const comparison = {
    width: 1,
    height: 1,
    diffPixels: 1,
    faintPixels: 0,
    regions: [],
    ignored: [],
    mask: null,
    fingerprint: null,
  };
  const compare = (own: Partial<Baseline>, diffRatio: number) =>
    comparedScreenshot(shot(), baseline(own), { ...comparison, diffRatio }, PLATFORM);

  it("causes one warning if pages differ", () => {
    const changed = compare({ platform: "darwin arm64" }, 0.5);
    assert.equal(changed.otherBrowser, true);
    assert.match(changed.notes.join(), /captured with chromium 153.0.8010.0 on darwin arm64/);
    const warning = otherBrowserWarning(
      [changed, compare({}, 0.5), compare({ browser: "chromium 1" }, 0)],
      PLATFORM,
    );
    assert.match(warning ?? "", /^1 of 3 baselines was captured with chromium 153.0.8010.0 on darwin arm64/);
    assert.match(warning ?? "", /vrs run --render remote/);
    const ofSameSystem = compare({ browser: "chromium 1" }, 0.5);
    assert.doesNotMatch(otherBrowserWarning([ofSameSystem], PLATFORM) ?? "", /--render/);
  });

  it("causes no warning for unchanged pages, nor without facts in the manifest", () => {
    assert.equal(compare({ browser: "chromium 1" }, 0.01).otherBrowser, false);
    assert.equal(compare({ browser: null }, 0.5).otherBrowser, false);
    assert.equal(otherBrowserWarning([compare({ browser: "chromium 1" }, 0)], PLATFORM), null);
  });

  it("counts as unchanged up to the threshold", () => {
    assert.equal(compare({}, 0.01).status, "unchanged");
    assert.equal(compare({}, 0.0101).status, "changed");
  });
});

describe("a renamed route", () => {
  it("is a new one that is identical to a removed one in state, environment and width, and only one", () => {
    const found = findRenames(
      [
        shot({ route: "/wide", status: "new", viewport: 1280 }),
        shot({ route: "/new", status: "new" }),
        shot({ route: "/copy", status: "new" }),
      ],
      [
        { route: "/dark", state: null, environment: "dark", viewport: 375, capture: "now" },
        { route: "/menu", state: "menu open", environment: null, viewport: 375, capture: "now" },
        { route: "/old", state: null, environment: null, viewport: 375, capture: "now" },
      ],
    );
    assert.deepEqual(
      found.map(({ renamedFrom }) => renamedFrom),
      [null, "/old", null],
    );
  });
});

describe("the plan of an approval", () => {
  const result = (...screenshots: CheckedScreenshot[]): CheckResult => ({
    ...{
      version: 1,
      vrs: "0",
      baseUrl: "http://localhost",
      platform: PLATFORM,
      browser: BROWSER,
      report: null,
    },
    ...{
      startedAt: "",
      durationMs: 0,
      conclusion: "changed",
      counts: countScreenshots(screenshots),
      warnings: [],
    },
    baseline: { directory: "", ref: null },
    changedStories: null,
    source: { config: "", configHash: "", commit: null, screenshots: null },
    screenshots,
  });
  const all = result(
    shot({ route: "/same" }),
    shot({ route: "/changed", status: "changed", fingerprint: "4be1aa", baseline: facts("file") }),
    shot({ route: "/new", status: "new" }),
    shot({ route: "/to", status: "new", renamedFrom: "/from" }),
    shot({ route: "/from", status: "removed", baseline: facts("file") }),
    shot({ route: "/gone", status: "removed", baseline: facts("file") }),
    shot({ route: "/near", minor: true, diffPixels: 7, fingerprint: "77aa", baseline: facts("file") }),
    shot({ route: "/broken", status: "failed", error: { code: "timeout", message: "" } }),
  );
  const planned = (filter: Parameters<typeof planApproval>[1]) =>
    planApproval(all, filter).steps.map(({ kind, shot: { route } }) => `${kind} ${route}`);

  it("has changed, new, renamed and removed screenshots", () => {
    assert.deepEqual(planned({}), ["rename /to", "write /changed", "write /new", "remove /gone"]);
    assert.deepEqual(
      planApproval(all, {}).failed.map(({ route }) => route),
      ["/broken"],
    );
  });

  it("has what the filter selects", () => {
    assert.deepEqual(planned({ routes: ["/to"] }), ["rename /to"]);
    assert.deepEqual(planned({ group: "4be" }), ["write /changed"]);
    assert.deepEqual(planned({ widths: [1280] }), []);
  });

  it("has minor changes on request", () => {
    const everything = ["rename /to", "write /changed", "write /new", "write /near", "remove /gone"];
    assert.deepEqual(planned({ minor: true }).sort(), everything.sort());
    assert.deepEqual(planned({ routes: ["/near"] }), []);
    assert.deepEqual(planned({ routes: ["/near"], minor: true }), ["write /near"]);
    assert.deepEqual(planned({ group: "77", minor: true }), ["write /near"]);
  });

  it("leaves out earlier approvals", () => {
    const { steps } = planApproval(all, { routes: ["/changed", "/gone"] });
    const now = baselines(baseline({ route: "/changed", hash: "other", capture: "now" }));
    assert.deepEqual(pendingSteps(steps, now), []);
    assert.equal(pendingSteps(steps, baselines(baseline({ route: "/changed" }))).length, 1);
  });

  it("is refused if the baseline has changed since", () => {
    const { steps } = planApproval(all, { routes: ["/changed", "/new"] });
    const moved = (...now: Baseline[]) => movedSteps(steps, baselines(...now)).map(step => step.shot.route);
    assert.deepEqual(moved(baseline({ route: "/changed" })), []);
    assert.deepEqual(moved(baseline({ route: "/changed", hash: "other" })), ["/changed"]);
    assert.deepEqual(moved(baseline({ route: "/changed" }), baseline({ route: "/new" })), ["/new"]);
  });
});

describe("the notes of plugins", () => {
  /** @param given JSON, since a configuration in plain JavaScript may contain anything */
  const gives = (given: string): Plugin => ({ name: "mine", onResult: () => JSON.parse(given) });

  it("are an array of texts, or none", async () => {
    const { notes } = await withNotes([gives('["slow", 5]'), gives("null"), gives("[]")], shot());
    assert.deepEqual(notes, ["slow", "5"]);
  });

  it("are otherwise an error that names the plugin, the page and the hook", async () => {
    for (const given of ['"slow"', "3", '{"length": 1}'])
      await assert.rejects(withNotes([gives(given)], shot()), {
        code: "plugin_failed",
        message: /"mine" returned invalid notes for \/a at 375 px in onResult\. Return/,
      });
  });
});
