import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isCovered } from "../../../services/alerts/incidents/covered-problem.rule.ts";
import type { ProblemOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";

const images = { baseline: null, current: null, diff: null };
const changed = (...routes: string[]): ProblemOutcome => ({
  kind: "changed",
  regressions: routes.map(route => ({ route, viewport: 1280, diffRatio: 0.1, images })),
});
const down = (routes: string[], ...also: string[]): ProblemOutcome => ({
  ...{ kind: "down", reason: "It answers 500.", routes, isWhole: false },
  regressions: changed(...also).regressions,
});

/** A found problem, the acknowledged one, and whether the latter covers the former. */
const CASES: [string, ProblemOutcome, ProblemOutcome, boolean][] = [
  ["the same pages", changed("/a", "/b"), changed("/b", "/a"), true],
  ["fewer pages", changed("/a"), changed("/a", "/b"), true],
  ["one more page", changed("/a", "/b"), changed("/a"), false],
  ["another page", changed("/b"), changed("/a"), false],
  ["fewer pages that are down", down(["/a"]), down(["/a", "/b"]), true],
  ["one more page that is down", down(["/a", "/b"]), down(["/a"]), false],
  ["a changed page that is down now", down(["/a"]), changed("/a"), false],
  ["a page that was down and is changed now", changed("/a"), down(["/a"]), false],
  ["pages that are up again while others are changed", changed("/b"), down(["/a"], "/b"), true],
];

describe("An acknowledged problem", () => {
  for (const [name, found, acknowledged, expected] of CASES)
    it(`${expected ? "covers" : "doesn't cover"} ${name}`, () => {
      assert.equal(isCovered(found, acknowledged), expected);
    });
});
