import assert from "node:assert/strict";
import { changedBoxes } from "../../../shared/capture/screenshot/changed-boxes.ts";

const WIDTH = 100;

/** Returns 100 × 100 pixels with rectangles of ones. */
function image(...rectangles: [left: number, top: number, right: number, bottom: number][]): Uint32Array {
  const pixels = new Uint32Array(WIDTH * WIDTH);
  for (const [left, top, right, bottom] of rectangles) {
    for (let y = top; y < bottom; y++) pixels.fill(1, y * WIDTH + left, y * WIDTH + right);
  }
  return pixels;
}

describe("changed boxes", () => {
  it("returns no boxes for equal images", () => {
    assert.deepEqual(changedBoxes(image([1, 2, 3, 4]), image([1, 2, 3, 4]), WIDTH), []);
  });

  it("returns boxes exact to the pixel across tiles", () => {
    const [box, ...others] = changedBoxes(image(), image([10, 12, 45, 40]), WIDTH);
    assert.deepEqual(box, { left: 10, top: 12, right: 45, bottom: 40, pixels: 35 * 28 });
    assert.deepEqual(others, []);
  });

  it("keeps distant changes in separate boxes", () => {
    const boxes = changedBoxes(image(), image([0, 0, 5, 5], [90, 90, 100, 100]), WIDTH);
    assert.deepEqual(
      boxes.map(({ pixels }) => pixels),
      [25, 100],
    );
  });

  it("does not join the right edge with the left edge", () => {
    assert.equal(changedBoxes(image(), image([98, 0, 100, 10], [0, 20, 2, 30]), WIDTH).length, 2);
  });

  it("ignores rows that only one image has", () => {
    assert.deepEqual(changedBoxes(image(), image().subarray(0, 50 * WIDTH), WIDTH), []);
  });
});
