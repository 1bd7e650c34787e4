import assert from "node:assert/strict";
import { compareWithExpected } from "../../../cli/demo/compare-with-expected.ts";

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

describe("the demo's verdict", () => {
  const screenshots = [
    shot("/", 375, "unchanged"),
    shot("/", 1280, "changed", { regions: [region, region] }),
    shot("/about", 375, "changed", { regions: [region] }),
  ];
  const verdict = (expected: Record<string, number>) =>
    compareWithExpected(screenshots, new Map(Object.entries(expected)));

  it("is good when the changes are those of the new version", () => {
    const { ok, line } = verdict({ "/ 1280": 2, "/about 375": 1 });
    assert.equal(ok, true);
    assert.match(line, /^2 changed, 1 unchanged/);
  });

  it("names a screenshot that had to change", () => {
    const { ok, line } = verdict({ "/ 1280": 2, "/about 375": 1, "/ 375": 1 });
    assert.equal(ok, false);
    assert.match(line, / \/ 375: found 0 of at least 1 change\.$/);
  });

  it("names a screenshot in which an edit is missing", () => {
    const { ok, line } = verdict({ "/ 1280": 3, "/about 375": 1 });
    assert.equal(ok, false);
    assert.match(line, / \/ 1280: found 2 of at least 3 changes\.$/);
  });

  it("names a screenshot that was not to change", () => {
    const { ok, line } = verdict({ "/ 1280": 2 });
    assert.equal(ok, false);
    assert.match(line, / \/about 375: unexpected change\.$/);
  });
});
