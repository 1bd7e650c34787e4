import assert from "node:assert/strict";
import { PLANS } from "../../../services/billing/plans.ts";
import {
  type Amount,
  noticesOf,
  shortageInWords,
  shortageOf,
} from "../../../services/billing/usage/allowance.rule.ts";
import { periodAt, periodBefore } from "../../../services/billing/usage/period.rule.ts";
import { PLAN_NAMES } from "../../../shared/contracts/billing/usage.ts";

const used = (runs: number, screenshots: number): Amount => ({ runs, screenshots });

describe("The plans", () => {
  it("have the limits that they are sold with", () => {
    assert.deepEqual(
      PLAN_NAMES.map(name => Object.values(PLANS[name])),
      [
        ["free", 50, 500, 1, 1, false, 7],
        ["pro", 500, 5_000, 10, 10, false, 30],
        ["business", null, null, 50, null, true, 90],
      ],
    );
  });
});

describe("A period", () => {
  const cases: Record<string, [at: string, start: string, end: string]> = {
    "in the middle of a month": ["2026-11-21T12:00:00.000Z", "2026-11-01", "2026-12-01"],
    "at a month's first moment": ["2026-11-01T00:00:00.000Z", "2026-11-01", "2026-12-01"],
    "at a month's last moment": ["2026-11-30T23:59:59.999Z", "2026-11-01", "2026-12-01"],
    "at the end of a year": ["2026-12-31T23:59:59.999Z", "2026-12-01", "2027-01-01"],
    "on a leap day": ["2028-02-29T23:59:59.999Z", "2028-02-01", "2028-03-01"],
    "on the day after, in a year without one": ["2027-03-01T00:00:00.000Z", "2027-03-01", "2027-04-01"],
    "in the year that hundreds make no leap year": ["2100-02-28T23:59:59.999Z", "2100-02-01", "2100-03-01"],
    "where it is another month elsewhere": ["2026-11-01T01:00:00+02:00", "2026-10-01", "2026-11-01"],
  };
  for (const [name, [at, start, end]] of Object.entries(cases))
    it(`is the calendar month of UTC ${name}`, () => {
      assert.deepEqual(periodAt(new Date(at)), { start: new Date(start), end: new Date(end) });
    });

  it("ends where the next starts, and follows the previous one, for years", () => {
    let period = periodAt(new Date("2026-11-21"));
    for (let month = 0; month < 60; month++) {
      const next = periodAt(period.end);
      assert.deepEqual(next.start, period.end);
      assert.deepEqual(periodBefore(next), period);
      period = next;
    }
  });
});

describe("An allowance", () => {
  it("is short only if a request exceeds it", () => {
    assert.equal(shortageOf(PLANS.free, used(49, 499), used(1, 1)), null);
    assert.deepEqual(shortageOf(PLANS.free, used(50, 0), used(1, 1)), {
      allowance: "runs",
      limit: 50,
      used: 50,
    });
    assert.deepEqual(shortageOf(PLANS.free, used(10, 495), used(1, 6)), {
      allowance: "screenshots",
      limit: 500,
      used: 495,
    });
  });

  it("is short for one run that is larger than the whole allowance", () => {
    assert.equal(shortageOf(PLANS.free, used(0, 0), used(1, 501))?.allowance, "screenshots");
  });

  it("is short if a larger plan was used before", () => {
    assert.deepEqual(shortageOf(PLANS.free, used(400, 0), used(1, 1)), {
      allowance: "runs",
      limit: 50,
      used: 400,
    });
  });

  it("is never short without a limit", () => {
    assert.equal(shortageOf(PLANS.business, used(1e9, 1e9), used(1, 2_000)), null);
  });

  it("is described with its name, its amount, and what to do", () => {
    const end = new Date("2026-12-01");
    const runs = shortageInWords(PLANS.free, { allowance: "runs", limit: 50, used: 50 }, used(1, 3), end);
    assert.match(
      runs,
      /used 50 of the 50 runs .*free plan.*Upgrade the plan.* resets on December 1, 2026 at 12:00 AM UTC/,
    );
    const screenshots = { allowance: "screenshots", limit: 500, used: 495 } as const;
    const words = shortageInWords(PLANS.free, screenshots, used(1, 6), end);
    assert.match(words, /used 495 of the 500 screenshots .*needs 6\..*fewer routes or viewports/);
  });
});

describe("Notices", () => {
  const told = (runs: number, screenshots: number) =>
    noticesOf(PLANS.free, used(runs, screenshots)).map(notice => `${notice.allowance} ${notice.percent}`);

  it("are due at 80 and 100 percent of each allowance", () => {
    assert.deepEqual(told(39, 399), []);
    assert.deepEqual(told(40, 399), ["runs 80"]);
    assert.deepEqual(told(49, 400), ["runs 80", "screenshots 80"]);
    assert.deepEqual(told(50, 500), ["runs 80", "runs 100", "screenshots 80", "screenshots 100"]);
  });

  it("have the limit and the usage", () => {
    assert.deepEqual(noticesOf(PLANS.free, used(41, 0)), [
      { allowance: "runs", percent: 80, limit: 50, used: 41 },
    ]);
  });

  it("are never due without a limit", () => {
    assert.deepEqual(noticesOf(PLANS.business, used(1e9, 1e9)), []);
  });
});
