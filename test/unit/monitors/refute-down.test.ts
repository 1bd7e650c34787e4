import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { CheckResult } from "../../../services/monitors/checks/evaluate-check.rule.ts";
import { regionResultOf } from "../../../services/monitors/http/http-check.rule.ts";
import { refuteDown } from "../../../services/monitors/http/refute-down.rule.ts";

/** Returns a check that found these routes down, and others changed. */
function downCheck(downRoutes: string[], changed: string[] = []): CheckResult {
  const images = { baseline: null, current: null, diff: null };
  return {
    ...{ outcome: "down", error: "It answered 500.", downRoutes, establish: [] },
    drift: [
      ...downRoutes.map(route => ({
        route,
        viewport: 1,
        ratio: null,
        state: "failed" as const,
        isDown: true as const,
      })),
      ...changed.map(route => ({ route, viewport: 1, ratio: 0.5, state: "changed" as const })),
    ],
    regressions: changed.map(route => ({ route, viewport: 1, diffRatio: 0.5, images })),
  };
}

/** Returns what a region found: `a: / failing, /b ok`, or `a: -` without a node. */
function found(words: string) {
  const [region = "", pages = ""] = words.split(": ");
  if (pages === "-") return regionResultOf(region, null);
  return regionResultOf(
    region,
    pages.split(", ").map(page => {
      const [route = "", outcome] = page.split(" ");
      return { route, status: null, ms: null, problem: outcome === "failing" ? "It failed." : null };
    }),
  );
}

describe("A page that doesn't respond in the browser", () => {
  const cases: [name: string, regions: string[], agree: number, down: boolean][] = [
    ["is down if enough regions can't load it", ["a: / failing", "b: / failing", "c: / ok"], 2, true],
    ["isn't down if too few can't load it", ["a: / failing", "b: / ok", "c: / ok"], 2, false],
    [
      "isn't down if too few can't load it and one has no node",
      ["a: / failing", "b: / ok", "c: -"],
      2,
      false,
    ],
    ["is down if all regions load it", ["a: / ok", "b: / ok", "c: / ok"], 2, true],
    ["is down if no region has a node", ["a: -", "b: -", "c: -"], 2, true],
    ["is down if no region loads it", ["a: / failing", "b: -", "c: -"], 2, true],
    ["is down if one region is enough", ["a: / failing", "b: / ok", "c: / ok"], 1, true],
    ["is down if no region requested it", ["a: /other failing", "b: /other ok"], 2, true],
  ];
  for (const [name, regions, agree, isDown] of cases)
    it(name, () => {
      const before = downCheck(["/"]);
      const result = refuteDown(before, regions.map(found), agree);
      if (isDown) return assert.deepEqual(result, before);
      assert.deepEqual([result.outcome, result.downRoutes], ["failed", []]);
      assert.equal(
        result.error,
        "/ can't be loaded from a, but from b" +
          (regions[2]?.endsWith("ok") ? " and c" : "") +
          ". Too few regions agree.",
      );
      assert.deepEqual(result.drift, [{ route: "/", viewport: 1, ratio: null, state: "failed" }]);
    });

  it("stays down beside another one that isn't", () => {
    const regions = ["a: / failing, /b failing", "b: / ok, /b failing", "c: / ok, /b ok"];
    const result = refuteDown(downCheck(["/", "/b"]), regions.map(found), 2);
    assert.deepEqual([result.outcome, result.downRoutes], ["down", ["/b"]]);
    assert.match(result.error ?? "", /^It answered 500\. \/ can't be loaded from a, but from b and c\./);
    assert.deepEqual(
      result.drift.map(({ route, isDown = false }) => `${route} ${isDown}`),
      ["/ false", "/b true"],
    );
  });

  it("doesn't hide other pages that changed", () => {
    const result = refuteDown(downCheck(["/"], ["/c"]), ["a: / failing", "b: / ok"].map(found), 2);
    assert.deepEqual([result.outcome, result.regressions.map(({ route }) => route)], ["changed", ["/c"]]);
  });
});
