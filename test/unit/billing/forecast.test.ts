import assert from "node:assert/strict";
import { forecastUsage } from "../../../services/billing/usage/forecast.rule.ts";

const period = { start: new Date("2026-11-01T00:00:00Z"), end: new Date("2026-12-01T00:00:00Z") };
const at = (day: number) => new Date(period.start.getTime() + day * 86_400_000);

describe("The forecast of usage", () => {
  it("continues the month at the rate so far", () => {
    assert.deepEqual(forecastUsage({ used: 100, limit: null }, period, at(10)), {
      used: 300,
      limitReachedAt: null,
    });
    assert.deepEqual(forecastUsage({ used: 0, limit: 500 }, period, at(29)), {
      used: 0,
      limitReachedAt: null,
    });
  });

  it("says when the limit is reached, if it is not reached yet", () => {
    assert.deepEqual(forecastUsage({ used: 100, limit: 200 }, period, at(10)), {
      used: 300,
      limitReachedAt: at(20).toISOString(),
    });
    assert.equal(forecastUsage({ used: 200, limit: 200 }, period, at(10))?.limitReachedAt, null);
    assert.equal(forecastUsage({ used: 100, limit: 300 }, period, at(10))?.limitReachedAt, null);
  });

  it("is unknown in the first tenth of the month", () => {
    assert.equal(forecastUsage({ used: 100, limit: 200 }, period, at(2.9)), null);
    assert.ok(forecastUsage({ used: 100, limit: 200 }, period, at(3)));
  });
});
