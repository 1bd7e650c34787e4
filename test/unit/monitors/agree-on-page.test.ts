import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  agreeOnPages,
  ruleOf,
  type Seen,
  summarizeRegions,
} from "../../../services/monitors/checks/agree-on-page.rule.ts";
import { environmentIn, environmentOutside } from "../../../shared/contracts/capture/region.ts";

const REGIONS = ["a", "b", "c"];

/** Returns what regions saw of `/`, from words such as `a changed`. */
function seenBy(words: string, environment: string | null = null): Seen[] {
  return words.split(", ").map(word => {
    const [region = "", state = ""] = word.split(" ");
    const key = { route: "/", state: null, environment: environmentIn(environment, region), viewport: 1280 };
    const states = { ok: "ok", new: "new", changed: "changed" } as const;
    const known = state === "ok" || state === "new" || state === "changed" ? states[state] : "failed";
    return { key, region, state: known, isDown: state === "down" };
  });
}

const agreeOn = (seen: Seen[], agree: number) =>
  agreeOnPages(seen, { regions: REGIONS, agree }, page => page);

describe("What regions say together about a page", () => {
  const cases: [seen: string, agree: number, kind: string, by: string][] = [
    ["a ok, b ok, c ok", 2, "ok", "abc"],
    ["a ok, b changed, c ok", 2, "ok", "ac"],
    ["a changed, b changed, c ok", 2, "changed", "ab"],
    ["a changed, b changed, c lost", 2, "changed", "ab"],
    ["a changed, b changed, c changed", 3, "changed", "abc"],
    ["a changed, b ok, c changed", 1, "changed", "ac"],
    ["a down, b down, c ok", 2, "down", "ab"],
    ["a down, b changed, c ok", 2, "changed", "b"],
    ["a down, b ok, c ok", 2, "ok", "bc"],
    ["a changed, b lost, c lost", 2, "unknown", "bc"],
    ["a ok, b lost, c lost", 2, "unknown", "bc"],
    ["a lost, b lost, c lost", 1, "unknown", "abc"],
    ["a new, b ok, c lost", 2, "ok", "ab"],
  ];
  for (const [seen, agree, kind, by] of cases)
    it(`is ${kind} if ${agree} must agree on ${seen}`, () => {
      const [verdict, ...others] = agreeOn(seenBy(seen), agree);
      assert.deepEqual(others, []);
      assert.deepEqual([verdict?.kind, verdict?.by.map(({ region }) => region).join("")], [kind, by]);
      assert.equal(verdict?.key.environment, null);
    });

  it("is decided for each environment by itself", () => {
    const verdicts = agreeOn(
      [...seenBy("a changed, b ok, c ok"), ...seenBy("a changed, b changed, c ok", "dark")],
      2,
    );
    assert.deepEqual(
      verdicts.map(({ key, kind }) => `${key.environment} ${kind}`),
      ["null ok", "dark changed"],
    );
  });

  it("is the only result of a page without regions", () => {
    const [page] = seenBy("a changed");
    assert.ok(page);
    const plain = { ...page, region: null, key: { ...page.key, environment: "dark" } };
    assert.deepEqual(
      agreeOnPages([plain], ruleOf({}), each => each),
      [{ key: plain.key, kind: "changed", by: [plain] }],
    );
    assert.deepEqual(summarizeRegions([plain], ruleOf({})), []);
  });

  it("is summed up for each region", () => {
    const summary = summarizeRegions(seenBy("a changed, a down, b ok, b lost, c lost"), {
      regions: REGIONS,
      agree: 2,
    });
    assert.deepEqual(summary, [
      { region: "a", outcome: "failing", changed: 1, down: 1, failed: 0 },
      { region: "b", outcome: "ok", changed: 0, down: 0, failed: 1 },
      { region: "c", outcome: "no_node", changed: 0, down: 0, failed: 1 },
    ]);
    assert.deepEqual(summarizeRegions([], { regions: REGIONS, agree: 2 }), [], "the check is running");
  });
});

describe("The environment of a region", () => {
  it("has the region's name, and can be read back", () => {
    for (const [environment, region, named] of [
      [null, null, null],
      ["dark", null, "dark"],
      [null, "eu-west", "@eu-west"],
      ["dark", "eu-west", "dark@eu-west"],
    ] as const) {
      assert.equal(environmentIn(environment, region), named);
      assert.equal(environmentOutside(named, region), environment);
    }
    assert.equal(environmentOutside("2x@eu-west", "us-east"), "2x@eu-west");
  });
});
