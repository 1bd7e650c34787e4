import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  dueReport,
  evaluateHttp,
  problemOfPage,
  regionResultOf,
} from "../../../services/monitors/http/http-check.rule.ts";
import { httpSettings, type ProbeResult } from "../../../shared/contracts/monitors/http-checks.ts";

const passing: ProbeResult = { status: 200, ms: 100, error: null, hasText: null };
const none = { maxResponseMs: null, requiredText: null };

describe("An HTTP check", () => {
  const pages: [string, Partial<ProbeResult>, object, RegExp | null][] = [
    ["passes at a status below 400", { status: 399 }, {}, null],
    ["fails at 400", { status: 400 }, {}, /status 400/],
    ["fails without a response", { status: null, error: "refused" }, {}, /refused/],
    ["passes at the limit for responses", { ms: 500 }, { maxResponseMs: 500 }, null],
    ["fails above the limit", { ms: 501 }, { maxResponseMs: 500 }, /501 ms.*500 ms/],
    ["fails without the required text", { hasText: false }, { requiredText: "Cart" }, /“Cart”/],
    ["fails if the text is unknown", { hasText: null }, { requiredText: "Cart" }, /“Cart”/],
    ["passes with the text", { hasText: true }, { requiredText: "Cart" }, null],
  ];
  for (const [name, probe, settings, problem] of pages)
    it(name, () => {
      const found = problemOfPage({ ...passing, ...probe }, { ...none, ...settings });
      if (problem === null) assert.equal(found, null);
      else assert.match(found ?? "", problem);
    });

  const region = (outcome: string) => {
    if (outcome === "no_node") return regionResultOf("x", null);
    const problem = outcome === "failing" ? "down" : null;
    return regionResultOf("x", [{ route: "/", status: 200, ms: 1, problem }]);
  };
  const regions: [string[], number, string][] = [
    [["ok"], 1, "ok"],
    [["failing"], 1, "failing"],
    [["no_node"], 1, "unknown"],
    [["ok", "failing", "ok"], 2, "ok"],
    [["failing", "failing", "ok"], 2, "failing"],
    [["failing", "failing", "no_node"], 2, "failing"],
    [["failing", "no_node", "no_node"], 2, "unknown"],
    [["ok", "failing", "no_node"], 2, "ok"],
    [["ok", "no_node", "no_node"], 2, "unknown"],
    [["failing", "failing", "failing"], 3, "failing"],
  ];
  for (const [outcomes, agree, expected] of regions)
    it(`is ${expected} if ${agree} must agree on ${outcomes.join(", ")}`, () => {
      assert.equal(evaluateHttp(outcomes.map(region), agree), expected);
    });

  it("reports a failure and its end once each", () => {
    assert.deepEqual(
      [dueReport("failing", false), dueReport("failing", true), dueReport("ok", true)],
      ["failing", null, "passing"],
    );
    for (const isAlerted of [true, false]) assert.equal(dueReport("unknown", isAlerted), null);
    assert.equal(dueReport("ok", false), null);
  });

  it("refuses more agreeing regions than there are, and names that are no region", () => {
    const accepts = (settings: object) => httpSettings.safeParse(settings).success;
    assert.deepEqual(
      [{}, { agree: 2 }, { regions: ["eu", "us"], agree: 2 }, { regions: ["eu"], agree: 2 }].map(accepts),
      [true, false, true, false],
    );
    for (const name of ["-eu", "eu west", "eu.west", "<b>", "x".repeat(41)])
      assert.equal(accepts({ regions: [name] }), false, name);
    assert.deepEqual(httpSettings.parse({ regions: [" EU-west ", "eu-west"] }).regions, ["eu-west"]);
  });
});
