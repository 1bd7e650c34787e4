import assert from "node:assert/strict";
import { backoffMs } from "../../../shared/backoff.ts";

describe("backoffMs", () => {
  const doubling = { firstMs: 500, longestMs: 30_000 };

  it("doubles the wait with each failure, up to the longest", () => {
    assert.deepEqual(
      [1, 2, 3, 6, 7, 2_000].map(failures => backoffMs(failures, doubling)),
      [500, 1_000, 2_000, 16_000, 30_000, 30_000],
    );
  });

  it("multiplies by the given factor", () => {
    assert.deepEqual(
      [1, 2, 3].map(failures => backoffMs(failures, { firstMs: 250, longestMs: 10_000, factor: 4 })),
      [250, 1_000, 4_000],
    );
  });

  it("shortens a wait by at most the random part", () => {
    const spread = { ...doubling, jitter: 0.5 };
    assert.deepEqual(
      [0, 0.5, 1].map(random => backoffMs(2, spread, random)),
      [500, 750, 1_000],
    );
  });
});
