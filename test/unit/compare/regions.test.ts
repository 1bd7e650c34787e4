import assert from "node:assert/strict";
import fc from "fast-check";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import { clusterRuns } from "../../../shared/compare/regions.ts";
import type { Run } from "../../../shared/compare/strip-changes.ts";
import { encodePng, type TestImage } from "../../support/fixtures/png.ts";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  shade: number;
}

/** Draws a white page with gray boxes, moved by `dx` and `dy`. */
function draw(width: number, height: number, boxes: readonly Box[], dx = 0, dy = 0): TestImage {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (const box of boxes) {
    for (let y = box.y + dy; y < box.y + dy + box.height; y++) {
      const from = (y * width + box.x + dx) * 4;
      for (let i = 0; i < box.width; i++) data.set([box.shade, box.shade, box.shade, 255], from + i * 4);
    }
  }
  return { width, height, data };
}

/** Distance of the pixels that affect a changed pixel's result, in px. */
const MARGIN_PX = 2;
/** The scene's size without the margin. */
const SCENE = { width: 110, height: 70 };

const box = fc
  .record({
    x: fc.nat(SCENE.width - 1),
    y: fc.nat(SCENE.height - 1),
    width: fc.constantFrom(1, 1, 2, 5, 12),
    height: fc.constantFrom(1, 1, 2, 5, 12),
    // Similar and distinct shades, so that smoothed edges matter.
    shade: fc.constantFrom(0, 60, 128, 140, 200, 250),
  })
  .map(({ width, height, ...at }) => ({
    ...at,
    width: Math.min(width, SCENE.width - at.x),
    height: Math.min(height, SCENE.height - at.y),
  }));

/** Position of the scene on a page, and the rest of the page after it, in px. */
const place = fc.record({
  left: fc.integer({ min: MARGIN_PX, max: 40 }),
  top: fc.integer({ min: MARGIN_PX, max: 60 }),
  right: fc.integer({ min: MARGIN_PX, max: 20 }),
  bottom: fc.integer({ min: MARGIN_PX, max: 60 }),
});

async function compareAt(base: Box[], edits: Box[], at: { [side in keyof typeof sides]: number }) {
  const width = at.left + SCENE.width + at.right;
  const height = at.top + SCENE.height + at.bottom;
  const [before, after] = [base, [...base, ...edits]].map(boxes =>
    encodePng(draw(width, height, boxes, at.left, at.top), { filterOf: () => 0 }),
  );
  assert(before && after);
  const { regions, fingerprint, diffPixels } = await compareScreenshots(before, after);
  const own = regions.map(region => ({ ...region, x: region.x - at.left, y: region.y - at.top }));
  return { regions: own, fingerprint, diffPixels };
}
const sides = { left: 0, top: 0, right: 0, bottom: 0 };

/** Compares a page with two boxes that are `gap` px apart. */
async function regionsOfTwo(x: number, gap: number): Promise<number> {
  const [width, height, shade] = [10, 10, 0];
  const boxes = [x, x + width - 1 + gap].map(left => ({ x: left, y: 30, width, height, shade }));
  const [before, after] = [encodePng(draw(200, 80, [])), encodePng(draw(200, 80, boxes))];
  return (await compareScreenshots(before, after)).regions.length;
}

describe("the regions of a change", () => {
  it("move with the change in any direction, and keep its fingerprint", async function () {
    this.timeout(300_000);
    const scene = fc.record({
      base: fc.array(box, { maxLength: 8 }),
      edits: fc.array(box, { minLength: 1, maxLength: 6 }),
      places: fc.tuple(place, place),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ base, edits, places: [here, there] }) => {
        assert.deepEqual(await compareAt(base, edits, here), await compareAt(base, edits, there));
      }),
      { numRuns: 1000 },
    );
  });

  it("join changed pixels up to 24 px apart, at every position", async () => {
    for (let x = 40; x < 60; x++) {
      assert.deepEqual([await regionsOfTwo(x, 24), await regionsOfTwo(x, 25)], [1, 2], `x = ${x}`);
      assert.equal(await regionsOfTwo(x, 26), 2, `x = ${x}`);
    }
  });

  it("end at the page's edges", async () => {
    const corners = [
      { x: 0, y: 0 },
      { x: 197, y: 0 },
      { x: 0, y: 77 },
      { x: 197, y: 77 },
    ].map(at => ({ ...at, width: 3, height: 3 }));
    const [before, after] = [[], corners.map(corner => ({ ...corner, shade: 0 }))].map(boxes =>
      encodePng(draw(200, 80, boxes)),
    );
    assert(before && after);
    const { regions } = await compareScreenshots(before, after);
    assert.deepEqual(regions, corners);
  });

  it("contain exactly the pixels that chains of steps join", () => {
    const rows = fc.array(
      fc.record({
        down: fc.constantFrom(1, 1, 1, 2, 20, 24, 25),
        runs: fc.array(
          fc.record({ after: fc.constantFrom(0, 1, 7, 24, 60), width: fc.constantFrom(1, 2, 9, 30, 90) }),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(rows, drawn => {
        const runs = runsOf(drawn);
        const found = clusterRuns(runs).map(cluster => cluster.runs);
        assert.deepEqual(found, expectedGroups(runs));
      }),
      { numRuns: 1000 },
    );
  });
});

interface Row {
  down: number;
  runs: { after: number; width: number }[];
}

/** Returns runs that are more than 24 px apart within a row. */
function runsOf(rows: Row[]): Run[] {
  let y = 0;
  return rows.flatMap(row => {
    y += row.down;
    let next = 0;
    return row.runs.map(({ after, width }, index) => {
      const left = next + after;
      next = left + width + 24;
      return { y, left, right: left + width - 1, hash: index };
    });
  });
}

/** Joins runs by comparing each with all others until no group grows. */
function expectedGroups(runs: Run[]): Run[][] {
  const groups = runs.map((_run, index) => index);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [i, a] of runs.entries()) {
      for (const [j, b] of runs.entries()) {
        const isNear = Math.abs(a.y - b.y) <= 24 && a.left - b.right <= 24 && b.left - a.right <= 24;
        const [first = 0, second = 0] = [groups[i], groups[j]];
        if (!isNear || second <= first) continue;
        groups[j] = first;
        isDone = false;
      }
    }
  }
  return [...Map.groupBy(runs, (_run, index) => groups[index]).values()];
}
