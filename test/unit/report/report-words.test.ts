import assert from "node:assert/strict";
import {
  describeAllIgnored,
  describeDifference,
  describeIgnored,
  describeSizeChange,
  describeUnchanged,
  formatCounts,
  formatFlakeScore,
} from "../../../shared/report/describe-screenshot.ts";
import { elapsed, formatThreshold, percent, percentBeside } from "../../../shared/text/format.ts";
import { screenshot } from "../../support/fixtures/report-sample.ts";

describe("texts of a report", () => {
  it("round no change to zero, and nearly all not to 100%", () => {
    const said = [0, 1e-9, 0.0001, 0.00456, 0.018, 0.5, 0.99999, 1].map(percent);
    const expected = ["0%", "<0.01%", "0.01%", "0.46%", "1.8%", "50%", "99.9%", "100%"];
    assert.deepEqual(said, expected);
  });

  it("show a ratio on its side of the threshold, and the threshold unrounded", () => {
    const pairs: Array<[number, number]> = [
      [0.0104, 0.01],
      [0.01, 0.01],
      [0.3, 0.01],
      [0.01249, 0.0125],
      [0.00004, 0],
      [0, 0],
      [0.99999, 0.01],
      [0.0000001, 0.00005],
    ];
    const said = pairs.map(
      ([ratio, threshold]) => `${percentBeside(ratio, threshold)}; ${formatThreshold(threshold)}`,
    );
    assert.deepEqual(said, [
      "1.04%; 1%",
      "1%; 1%",
      "30%; 1%",
      "1.2%; 1.25%",
      "0.004%; 0%",
      "0%; 0%",
      "99.9%; 1%",
      "<0.01%; 0.005%",
    ]);
  });

  it("show the duration of a run, and nothing for invalid dates", () => {
    const from = "2026-01-01T00:00:00Z";
    assert.equal(elapsed(from, "2026-01-01T00:00:41.4Z"), "41 s");
    assert.equal(elapsed(from, "2026-01-01T00:04:12Z"), "4 min 12 s");
    assert.equal(elapsed(from, "2026-01-01T02:05:00Z"), "2 h 5 min");
    assert.equal(elapsed(from, "<script>"), null);
    assert.equal(elapsed(from, "2025-12-31T23:59:00Z"), null);
  });

  it("distinguish a difference within the threshold from none", () => {
    assert.equal(describeDifference(screenshot({ id: "a" })), "identical");
    const minor = (diffRatio: number, diffPixels: number) =>
      describeDifference(screenshot({ id: "a", minor: true, diffRatio, diffPixels }));
    assert.equal(minor(0.002, 1_842), "0.2%, 1,842 pixels");
    // The smallest change doesn't round to none.
    assert.equal(minor(0.00000001, 1), "<0.01%, 1 pixel");
  });

  it("show the flake score of a page from 5% on", () => {
    const said = [0, 0.049, 0.05, 0.123, 1].map(flakeScore => formatFlakeScore({ flakeScore }));
    assert.deepEqual(said, [null, null, "flaky 5%", "flaky 12%", "flaky 100%"]);
    assert.equal(formatFlakeScore({}), null);
  });

  it("show what ignore regions hid, and don't call the rest of the page identical", () => {
    const region = (pixels: number) => ({ x: 0, y: 0, width: 9, height: 9, pixels });
    const hiding = (...pixels: number[]) => {
      const ignored = { pixels: pixels.reduce((sum, each) => sum + each, 0), regions: pixels.map(region) };
      return screenshot({ id: "a", ignored });
    };
    assert.equal(describeIgnored(hiding(1200, 0, 34)), "2 ignore regions hide 1,234 changed pixels.");
    assert.equal(describeIgnored(hiding(1)), "1 ignore region hides 1 changed pixel.");
    assert.equal(describeIgnored(hiding(0)), null);
    assert.equal(describeIgnored(screenshot({ id: "a" })), null);
    assert.equal(
      describeAllIgnored([hiding(1200), hiding(0), hiding(30, 4), screenshot({ id: "b" })]),
      "Ignore regions hide 1,234 changed pixels in 2 screenshots.",
    );
    assert.equal(describeAllIgnored([hiding(0)]), null);
    assert.equal(describeDifference(hiding(1)), "identical outside ignore regions");
    assert.equal(describeDifference(hiding(0)), "identical");
  });

  it("count minor changes once, beside the unchanged ones", () => {
    const counts = { unchanged: 43, minor: 3, changed: 2, new: 0, removed: 1, failed: 0 };
    assert.equal(formatCounts(counts), "2 changed, 1 removed, 3 minor changes, 40 unchanged");
    assert.equal(formatCounts({ ...counts, unchanged: 1, minor: 1 }), "2 changed, 1 removed, 1 minor change");
    const { minor: _minor, ...older } = counts;
    assert.equal(formatCounts(older), "2 changed, 1 removed, 43 unchanged");
    assert.equal(formatCounts({ unchanged: 0, changed: 0, new: 0, removed: 0, failed: 0 }), "");
    assert.deepEqual(
      [
        [40, 0],
        [40, 3],
        [1, 1],
        [0, 3],
      ].map(([unchanged = 0, minor = 0]) => describeUnchanged(unchanged, minor)),
      [
        "40 screenshots unchanged",
        "40 screenshots unchanged, 3 with minor changes",
        "1 screenshot unchanged, 1 with a minor change",
        "3 screenshots with minor changes",
      ],
    );
  });

  it("describe changes of both dimensions of a page", () => {
    const baseline = { runId: "r", reason: "main", width: 1280, height: 3000 };
    assert.equal(describeSizeChange(screenshot({ id: "a", baseline })), null);
    const moved = screenshot({ id: "a", baseline, width: 1000, height: 4240 });
    assert.equal(describeSizeChange(moved), "280 px narrower, 1,240 px taller");
  });
});
