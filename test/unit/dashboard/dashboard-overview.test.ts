import assert from "node:assert/strict";
import { shownDays } from "../../../dashboard/overview/shown-days.rule.ts";

describe("the table of a project's overview", () => {
  it("has the days with runs, and those on which only null reruns captured screenshots", () => {
    const day = (name: string, figures: object) => ({
      ...{ day: name, runs: 0, changed: 0, failed: 0, screenshots: 0, changedScreenshots: 0 },
      ...{ medianMs: null, captures: 0, noisyCaptures: 0, ...figures },
    });
    const days = [
      day("2026-11-23", { runs: 1, screenshots: 2, captures: 2 }),
      day("2026-11-24", {}),
      day("2026-11-25", { captures: 4, noisyCaptures: 1 }),
    ];
    assert.deepEqual(
      shownDays(days).map(each => each.day),
      ["2026-11-23", "2026-11-25"],
    );
  });
});
