import assert from "node:assert/strict";
import {
  difference,
  elapsed,
  limitInWords,
  percent,
  percentBeside,
  sizeChange,
  withinThreshold,
} from "../../shared/report/words.ts";
import { screenshot } from "../support/report-sample.ts";

describe("words of a report", () => {
  it("says a ratio so that a change never reads as none, nor nearly all as all", () => {
    const said = [0, 1e-9, 0.0001, 0.00456, 0.018, 0.5, 0.99999, 1].map(percent);
    const expected = ["0 %", "< 0.01 %", "0.01 %", "0.46 %", "1.8 %", "50 %", "99.9 %", "100 %"];
    assert.deepEqual(
      said.map(text => text.replaceAll("\u202f", " ")),
      expected,
    );
  });

  it("says a share beside its threshold so that it reads as on its side of it, and the threshold as it was written", () => {
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
      ([ratio, threshold]) => `${percentBeside(ratio, threshold)}; ${limitInWords(threshold)}`,
    );
    assert.deepEqual(
      said.map(text => text.replaceAll("\u202f", " ")),
      [
        "1.04 %; 1 %",
        "1 %; 1 %",
        "30 %; 1 %",
        "1.2 %; 1.25 %",
        "0.004 %; 0 %",
        "0 %; 0 %",
        "99.9 %; 1 %",
        "< 0.01 %; 0.005 %",
      ],
    );
  });

  it("says how long a run took, and nothing when a date is none", () => {
    const from = "2026-01-01T00:00:00Z";
    assert.equal(elapsed(from, "2026-01-01T00:00:41.4Z"), "41 s");
    assert.equal(elapsed(from, "2026-01-01T00:04:12Z"), "4 min 12 s");
    assert.equal(elapsed(from, "2026-01-01T02:05:00Z"), "2 h 5 min");
    assert.equal(elapsed(from, "<script>"), null);
    assert.equal(elapsed(from, "2025-12-31T23:59:00Z"), null);
  });

  it("tells a difference within the threshold from none", () => {
    assert.equal(difference(screenshot({ id: "a" })), "identical");
    assert.match(difference(screenshot({ id: "a", diffRatio: 0.002 })), /0\.2.%, within the threshold/);
  });

  it("says how many of the unchanged differ all the same", () => {
    const same = screenshot({ id: "a" });
    const near = screenshot({ id: "b", diffPixels: 9, diffRatio: 0.002 });
    const changed = screenshot({ id: "c", diffPixels: 9, diffRatio: 0.2, status: "changed" });
    const words = "with differences within the threshold";
    assert.deepEqual(
      [
        [same, changed],
        [same, near, changed],
        [near, changed],
        [near, near],
      ].map(withinThreshold),
      ["", `, 1 of them ${words}`, `, ${words}`, `, all of them ${words}`],
    );
  });

  it("names both ways in which a page's size changed", () => {
    const baseline = { runId: "r", reason: "main", width: 1280, height: 3000 };
    assert.equal(sizeChange(screenshot({ id: "a", baseline })), null);
    const moved = screenshot({ id: "a", baseline, width: 1000, height: 4240 });
    assert.equal(sizeChange(moved), "280 px narrower, 1,240 px taller");
  });
});
