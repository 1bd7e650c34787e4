import assert from "node:assert/strict";
import { percentile } from "../../../bench/scale/measure-runs.ts";
import { growingStatements, type StatementCost } from "../../../bench/scale/statement-log.ts";

const cost = (sql: string, pagesPerCall: number, calls = 1): StatementCost => ({
  during: "runs",
  sql,
  calls,
  msPerCall: 1,
  pagesPerCall,
});

describe("the statements of the scale bench", () => {
  it("grow if they read over twice the pages, the most expensive first", () => {
    const small = [cost("steady", 500), cost("grown", 100), cost("worse", 100), cost("gone", 9)];
    const large = [cost("steady", 900), cost("grown", 300), cost("worse", 250, 10), cost("added", 9_000)];
    const found = growingStatements(small, large).map(({ sql }) => sql);
    assert.deepEqual(found, ["worse", "grown"]);
  });

  it("are compared with themselves during the same work", () => {
    const idle = { ...cost("periodic", 1), during: "inbox" };
    const small = [cost("periodic", 300), idle];
    assert.deepEqual(growingStatements(small, [cost("periodic", 330), idle]), []);
  });

  it("don't grow by the levels of their indexes", () => {
    assert.deepEqual(growingStatements([cost("indexed", 4)], [cost("indexed", 12)]), []);
  });

  it("have percentiles that no larger share of values exceeds", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.equal(percentile(values, 0.99), 100);
    assert.equal(percentile(values, 0.5), 51);
    assert.ok(Number.isNaN(percentile([], 0.5)));
  });
});
