import assert from "node:assert/strict";
import { changedRegions } from "../../../shared/capture/screenshot/changed-regions.ts";

const box = (left: number, top: number, right: number, bottom: number) => {
  return { left, top, right, bottom, pixels: (right - left) * (bottom - top) };
};

describe("changed regions", () => {
  it("join boxes that overlap directly or through a third box", () => {
    const boxes = [box(0, 0, 10, 10), box(18, 0, 30, 10), box(8, 2, 20, 8), box(100, 100, 104, 104)];
    assert.deepEqual(changedRegions(boxes), [
      { x: 0, y: 0, width: 30, height: 10 },
      { x: 100, y: 100, width: 4, height: 4 },
    ]);
  });

  it("keep touching boxes separate", () => {
    assert.equal(changedRegions([box(0, 0, 10, 10), box(10, 0, 20, 10)]).length, 2);
  });

  it("are limited to the ten largest", () => {
    const boxes = Array.from({ length: 500 }, (_, index) =>
      box(0, 1000 * index, 1 + index, 1000 * index + 1),
    );
    const regions = changedRegions(boxes);
    assert.equal(regions.length, 10);
    assert.deepEqual([regions[0]?.width, regions[9]?.width], [500, 491]);
  });
});
