import assert from "node:assert/strict";
import fc from "fast-check";
import pixelmatch from "pixelmatch";
import type { Bitmap } from "../../shared/compare/bitmap.ts";
import { findChanges } from "../../shared/compare/changes.ts";

/** What the product must equal: both images padded with transparent pixels to the union, then plain pixelmatch. */
function naive(before: Bitmap, after: Bitmap): { count: number; changed: Uint32Array } {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const changed = new Uint32Array(width * height);
  const count = pixelmatch(
    padded(before, width, height),
    padded(after, width, height),
    new Uint8Array(changed.buffer),
    width,
    height,
    { threshold: 0.1, includeAA: false, diffMask: true },
  );
  return { count, changed };
}

function padded(image: Bitmap, width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < image.height; y++) {
    for (let i = 0; i < image.width * 4; i++)
      data[y * width * 4 + i] = image.data[y * image.width * 4 + i] ?? 0;
  }
  return data;
}

/** Few shades, near and far, so that pixelmatch's threshold and anti-alias rule both come into play. */
const SHADES = [0, 60, 128, 130, 190, 255];

const edit = fc.record({
  x: fc.nat(1000),
  y: fc.nat(1000),
  width: fc.constantFrom(1, 1, 2, 3, 8, 40),
  height: fc.constantFrom(1, 1, 2, 3, 8, 150),
  shade: fc.constantFrom(...SHADES),
  alpha: fc.constantFrom(255, 255, 255, 255, 255, 255, 0, 128),
});

const scene = fc.record({
  width: fc.integer({ min: 1, max: 40 }),
  height: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 120, max: 300 })),
  grow: fc.constantFrom([0, 0], [0, 0], [0, 0], [1, 0], [0, 1], [0, 7], [5, -3], [-2, -9]),
  shift: fc.constantFrom(0, 0, 0, 1, 3),
  base: fc.array(edit, { maxLength: 30 }),
  noise: fc.constantFrom(0, 0, 1, 7),
  edits: fc.array(edit, { maxLength: 8 }),
});

function draw(
  width: number,
  height: number,
  noise: number,
  edits: { x: number; y: number; width: number; height: number; shade: number; alpha: number }[],
): Bitmap {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; noise > 0 && i < data.length; i++)
    if (i % 4 !== 3) data[i] = SHADES[((i * 2654435761) >>> (32 - noise)) % SHADES.length] ?? 0;
  for (const e of edits) {
    for (let y = e.y % height; y < Math.min((e.y % height) + e.height, height); y++) {
      for (let x = e.x % width; x < Math.min((e.x % width) + e.width, width); x++)
        data.set([e.shade, e.shade, e.shade, e.alpha], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

describe("the changed pixels", () => {
  it("are exactly those of pixelmatch on the padded union", () => {
    fc.assert(
      fc.property(scene, ({ width, height, grow, shift, base, noise, edits }) => {
        const before = draw(width, height, noise, base);
        const [growX = 0, growY = 0] = grow;
        const moved = base.map(e => ({ ...e, y: e.y + shift }));
        const after = draw(Math.max(1, width + growX), Math.max(1, height + growY), noise, [
          ...moved,
          ...edits,
        ]);
        const expected = naive(before, after);
        const changes = findChanges(before, after);
        assert.equal(changes.count, expected.count);
        for (let y = 0; y < changes.height; y++) {
          for (let x = 0; x < changes.width; x++) {
            assert.equal(
              changes.has(x, y),
              expected.changed[y * changes.width + x] !== 0,
              `pixel ${x}, ${y}`,
            );
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
