import assert from "node:assert/strict";
import { changesTable, judge, percent } from "../../cli/demo/show-changes.ts";

const region = { x: 0, y: 0, width: 10, height: 10 };
const shot = (
  route: string,
  viewport: number,
  status: "changed" | "unchanged" | "failed" | "new",
  more = {},
) => ({
  route,
  viewport,
  status,
  diffRatio: null,
  regions: [],
  error: null,
  ...more,
});

describe("the table of changes", () => {
  it("shows only what is not unchanged, numbers under one another", () => {
    const lines = changesTable([
      shot("/", 1280, "changed", { diffRatio: 0.12345, regions: [region, region] }),
      shot("/about", 1280, "unchanged"),
      shot("/pricing", 375, "changed", { diffRatio: 0.004, regions: [region] }),
    ]);
    assert.deepEqual(lines, [
      "route      width   status    percent   regions",
      "/           1280   changed   12.35 %         2",
      "/pricing     375   changed    0.40 %         1",
    ]);
  });

  it("tells why a screenshot failed", () => {
    assert.match(
      changesTable([shot("/", 375, "failed", { error: "It never loaded." })]).join(),
      /failed: It never loaded\./,
    );
  });

  it("is empty when nothing changed", () => {
    assert.deepEqual(changesTable([shot("/", 375, "unchanged")]), []);
  });
});

describe("percent", () => {
  it("does not round a change down to none", () => {
    assert.equal(percent(0.0000004), "< 0.01 %");
    assert.equal(percent(0), "0.00 %");
    assert.equal(percent(1), "100.00 %");
    assert.equal(percent(null), "");
  });
});

describe("the demo's verdict", () => {
  const screenshots = [
    shot("/", 375, "unchanged"),
    shot("/", 1280, "changed"),
    shot("/about", 375, "changed"),
  ];

  it("is good when the changes are those of the new version", () => {
    const { ok, line } = judge(screenshots, new Set(["/ 1280", "/about 375"]));
    assert.equal(ok, true);
    assert.match(line, /^2 changed, 1 unchanged/);
  });

  it("names a change that was not seen, and one that was not expected", () => {
    const missed = judge(screenshots, new Set(["/ 1280", "/about 375", "/ 375"]));
    assert.equal(missed.ok, false);
    assert.match(missed.line, /not seen: \/ 375$/);
    const surplus = judge(screenshots, new Set(["/ 1280"]));
    assert.equal(surplus.ok, false);
    assert.match(surplus.line, /not expected: \/about 375$/);
  });
});
