import assert from "node:assert/strict";
import {
  coversChange,
  evaluateCheck,
  keyOfPage,
  type PageResult,
  pageResultOf,
  pagesToConfirm,
} from "../../../services/monitors/checks/evaluate-check.rule.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { PageState } from "../../../shared/contracts/monitors/checks.ts";
import type { ScreenshotOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";

const NO_IMAGES = { baseline: null, current: null, diff: null };

/**
 * Returns page results from text: `/a changed`, `/b failed`, `/c lost` for a page that the service couldn't
 * capture.
 */
function page(words: string): PageResult[] {
  return words.split(", ").map(seen => {
    const [route = "", state = ""] = seen.split(" ");
    const isFailed = state === "failed" || state === "lost";
    const states: Record<string, PageState> = { ok: "ok", new: "new", changed: "changed" };
    return {
      route,
      viewport: 1280,
      state: states[state] ?? "failed",
      ratio: state === "changed" ? 0.5 : null,
      reason: isFailed ? `${route} ${state}.` : null,
      pageFailed: state === "failed",
      images: NO_IMAGES,
      runId: "run",
      screenshotId: route,
    };
  });
}

describe("The pages to confirm", () => {
  const cases: [attempts: string[], again: string[]][] = [
    [["/ ok"], []],
    [["/ new"], []],
    [["/a ok, /b changed, /c failed"], ["/b", "/c"]],
    [["/b lost"], ["/b"]],
    [["/a ok, /b changed", "/b ok"], []],
    [["/a ok, /b changed", "/b changed"], []],
    [["/a failed, /b failed", "/a failed, /b ok"], []],
    [
      ["/a changed, /b changed", "/a changed, /b failed"],
      ["/a", "/b"],
    ],
    [
      ["/a ok, /b changed, /c failed, /d failed", "/b changed, /c changed, /d failed"],
      ["/b", "/c"],
    ],
    [["/a failed", "/a changed"], ["/a"]],
    [["/a lost", "/a failed"], ["/a"]],
    [["/a failed", "/a lost"], ["/a"]],
    [["/a lost", "/a lost"], []],
    [["/a changed", "/a failed", "/a changed"], []],
  ];
  for (const [attempts, again] of cases) {
    it(`are ${again.join(" and ") || "none"} after ${attempts.join(" then ")}`, () => {
      assert.deepEqual(
        pagesToConfirm(attempts.map(page)).map(({ route }) => route),
        again,
      );
    });
  }
});

describe("The pages of a region without a renderer", () => {
  const seen = (words: string, region: string) =>
    page(words).map(result => ({ ...result, region, environment: `@${region}` }));
  const away = (results: PageResult[]) => results.map(each => ({ ...each, isRegionAway: true as const }));

  it("are not captured again, and don't hold up the other regions", () => {
    const first = [...away(seen("/a lost, /b lost", "us-east")), ...seen("/a changed, /b lost", "eu-west")];
    assert.deepEqual(
      pagesToConfirm([first]).map(({ route, region }) => `${route} ${region}`),
      ["/a eu-west", "/b eu-west"],
    );
    const rule = { regions: ["us-east", "eu-west"], agree: 1 };
    const again = seen("/a changed, /b ok", "eu-west");
    assert.deepEqual(pagesToConfirm([first, again]), []);
    const { outcome, regressions } = evaluateCheck([first, again], rule);
    assert.deepEqual([outcome, regressions.map(({ route }) => route)], ["changed", ["/a"]]);
    assert.equal(evaluateCheck([first, again], { ...rule, agree: 2 }).outcome, "failed");
  });

  it("are captured again if the region has one, so that one lost page says nothing about the region", () => {
    const first = [...seen("/a lost", "us-east"), ...seen("/a ok", "eu-west")];
    assert.deepEqual(
      pagesToConfirm([first]).map(({ region }) => region),
      ["us-east"],
    );
  });
});

describe("The outcome of a check", () => {
  const cases: [attempts: string[], outcome: string, regressions: string[], error: string | null][] = [
    [["/ ok"], "ok", [], null],
    [["/ new"], "established", [], null],
    [["/a ok, /b new"], "established", [], null],
    [["/a ok, /b changed", "/b changed"], "changed", ["/b"], null],
    [["/a changed, /b changed", "/a ok, /b changed"], "changed", ["/b"], null],
    [["/a changed, /b changed", "/a ok, /b ok"], "ok", [], null],
    [["/a new, /b changed", "/b changed"], "changed", ["/b"], null],
    [["/a failed", "/a failed"], "down", [], "/a failed."],
    [["/a failed", "/a ok"], "ok", [], null],
    [["/a failed", "/a new"], "established", [], null],
    [["/a failed, /b changed", "/a failed, /b changed"], "down", ["/b"], "/a failed."],
    [["/a lost", "/a lost"], "failed", [], "/a lost."],
    [["/a lost, /b changed", "/a lost, /b changed"], "changed", ["/b"], null],
    [["/a lost, /b failed", "/a lost, /b failed"], "down", [], "/b failed."],
    [["/a changed", "/a failed", "/a failed"], "down", [], "/a failed."],
    [["/a changed", "/a failed", "/a changed"], "changed", ["/a"], null],
    [["/a changed", "/a failed", "/a ok"], "ok", [], null],
    [["/a changed", "/a changed", "/a failed"], "failed", [], "/a failed."],
    [["/a lost", "/a failed", "/a failed"], "down", [], "/a failed."],
    [["/a failed", "/a lost", "/a failed"], "down", [], "/a failed."],
    [["/a lost", "/a failed", "/a lost"], "failed", [], "/a lost."],
    [["/a changed", "/a lost", "/a failed"], "failed", [], "/a failed."],
    [["/a lost", "/a changed", "/a failed"], "failed", [], "/a failed."],
    [["/a lost", "/a changed", "/a changed"], "changed", ["/a"], null],
    [["/a lost", "/a failed", "/a changed"], "failed", [], "A change was found once, but not confirmed."],
    [["/a changed, /b failed", "/a changed, /b changed", "/a failed, /b changed"], "changed", ["/b"], null],
    [
      ["/a failed, /b failed, /c failed, /d failed", "/a failed, /b failed, /c failed, /d failed"],
      "down",
      [],
      "/a failed. /b failed. /c failed. And 1 more.",
    ],
  ];
  for (const [attempts, outcome, regressions, error] of cases) {
    it(`is ${outcome} of ${attempts.join(" then ")}`, () => {
      const result = evaluateCheck(attempts.map(page));
      assert.deepEqual(
        [result.outcome, result.regressions.map(({ route }) => route), result.error],
        [outcome, regressions, error],
      );
      assert.equal(result.drift.length, page(attempts[0] ?? "").length, "every page is in the drift");
    });
  }

  it("names each page that is down once, without pages that the service couldn't capture", () => {
    const seen = page("/a failed, /b lost, /c failed, /d changed");
    const narrow = seen.map(page => ({ ...page, viewport: 375 }));
    assert.deepEqual(
      evaluateCheck([
        [...seen, ...narrow],
        [...seen, ...narrow],
      ]).downRoutes,
      ["/a", "/c"],
    );
  });

  it("distinguishes the widths of a page", () => {
    const [first] = page("/a changed");
    assert.ok(first);
    const narrow = { ...first, viewport: 375 };
    const result = evaluateCheck([
      [first, narrow],
      [first, { ...narrow, state: "ok" }],
    ]);
    assert.deepEqual(
      result.regressions.map(({ viewport }) => viewport),
      [1280],
    );
    assert.deepEqual(
      result.drift.map(({ viewport, state }) => [viewport, state]),
      [
        [1280, "changed"],
        [375, "ok"],
      ],
    );
  });
});

describe("Pages in several states and environments", () => {
  const own = (name: string, state: PageState): PageResult => {
    const [stateName = null, environment = null] = name.split(" ").map(part => (part === "-" ? null : part));
    const [result] = page(`/a ${state}`);
    assert.ok(result);
    return { ...result, stateName, environment };
  };

  it("are confirmed apart from each other", () => {
    const first = [
      own("- -", "changed"),
      own("open -", "ok"),
      own("- dark", "ok"),
      own("open dark", "changed"),
    ];
    const again = pagesToConfirm([first]);
    assert.deepEqual(again.map(keyOfPage).map(pageName), ["/a", "/a › open (dark)"]);
    const { regressions, drift } = evaluateCheck([first, [own("- -", "ok"), own("open dark", "changed")]]);
    assert.deepEqual(regressions.map(pickPage).map(pageName), ["/a › open (dark)"]);
    assert.deepEqual(
      drift.map(({ state }) => state),
      ["ok", "ok", "ok", "changed"],
    );
  });

  it("are those of earlier versions if they have neither", () => {
    const [stored] = page("/a changed");
    assert.ok(stored);
    assert.equal(evaluateCheck([[stored], [own("- -", "changed")]]).drift.length, 1);
    assert.ok(coversChange([stored], [approved({ state: null, environment: null })]));
    assert.ok(!coversChange([stored], [approved({ state: null, environment: "dark" })]));
  });

  function approved(of: Pick<ScreenshotOutcome, "state" | "environment">): ScreenshotOutcome {
    return {
      ...{
        id: "shot",
        route: "/a",
        viewport: 1280,
        ...of,
        region: null,
        status: "changed",
        diffRatio: 0.5,
        error: null,
      },
      ...{
        blame: null,
        review: "approved",
        isOutdated: false,
        isOtherRenderer: false,
        cause: null,
        responseMs: null,
        images: NO_IMAGES,
      },
    };
  }
});

describe("The result of a page", () => {
  const outcome: ScreenshotOutcome = {
    id: "shot",
    route: "/",
    ...{ state: null, environment: null },
    viewport: 1280,
    region: null,
    status: "failed",
    diffRatio: null,
    error: "It answered 500.",
    blame: "page",
    review: null,
    isOutdated: false,
    isOtherRenderer: false,
    cause: null,
    responseMs: null,
    images: NO_IMAGES,
  };
  const cases: [Partial<ScreenshotOutcome>, PageState, boolean][] = [
    [{}, "failed", true],
    [{ blame: "service" }, "failed", false],
    [{ blame: null }, "failed", false],
    [{ status: "unchanged", blame: null }, "ok", false],
    [{ status: "changed", blame: null }, "changed", false],
    [{ status: "new", blame: null }, "new", false],
  ];
  for (const [facts, state, pageFailed] of cases) {
    it(`is ${state} for ${JSON.stringify(facts)}`, () => {
      const seen = pageResultOf("run", { ...outcome, ...facts });
      assert.deepEqual([seen.state, seen.pageFailed, seen.runId], [state, pageFailed, "run"]);
    });
  }
});
