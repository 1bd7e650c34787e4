import assert from "node:assert/strict";
import fc from "fast-check";
import pixelmatch from "pixelmatch";
import sharp from "sharp";
import { type Changes, findAllChanges } from "../../../shared/compare/changes.ts";
import { openPng } from "../../../shared/compare/png-file.ts";
import { encodePng, type TestImage } from "../../support/fixtures/png.ts";

/**
 * Computes the expected result: both images are padded with transparent pixels to the union, then compared by
 * pixelmatch.
 */
function expectedChanges(
  before: TestImage,
  after: TestImage,
  threshold: number,
): { count: number; changed: Uint32Array } {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const changed = new Uint32Array(width * height);
  const output = new Uint8Array(changed.buffer);
  const options = { threshold, includeAA: false, diffMask: true };
  const count = pixelmatch(
    pad(before, width, height),
    pad(after, width, height),
    output,
    width,
    height,
    options,
  );
  return { count, changed };
}

function pad(image: TestImage, width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < image.height; y++) {
    for (let i = 0; i < image.width * 4; i++)
      data[y * width * 4 + i] = image.data[y * image.width * 4 + i] ?? 0;
  }
  return data;
}

/** @param threshold pixelmatch's, by default the product's */
function assertExact(changes: Changes, before: TestImage, after: TestImage, threshold = 0.1): void {
  const expected = expectedChanges(before, after, threshold);
  assert.equal(changes.diffPixels, expected.count);
  const stride = 1 + Math.ceil(changes.width / 8);
  for (let y = 0; y < changes.height; y++) {
    for (let x = 0; x < changes.width; x++) {
      const bit = ((changes.scanlines[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      assert.equal(bit === 1, expected.changed[y * changes.width + x] !== 0, `pixel ${x}, ${y}`);
    }
  }
}

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

function holds(region: Place, x: number, y: number): boolean {
  const [right, bottom] = [region.x + region.width, region.y + region.height];
  return x >= region.x && x < right && y >= region.y && y < bottom;
}

/**
 * Computes the ignored pixels of each region pixel by pixel. Each pixel belongs to the first region that contains it.
 */
function expectedIgnored({ changed, width }: { changed: Uint32Array; width: number }, regions: Place[]) {
  const pixels = regions.map(() => 0);
  changed.forEach((mark, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const first = mark === 0 ? -1 : regions.findIndex(region => holds(region, x, y));
    if (first >= 0) pixels[first] = (pixels[first] ?? 0) + 1;
  });
  return pixels;
}

interface Box extends Place {
  colour: Colour;
  alpha: number;
}

/** A few colors, similar and distinct, so that pixelmatch's threshold and its anti-alias rule both matter. */
const COLORS = [
  [0, 0, 0],
  [60, 60, 60],
  [128, 128, 128],
  [130, 130, 130],
  [255, 255, 255],
  [128, 130, 126],
  [200, 30, 90],
  [20, 110, 220],
] as const;
type Colour = (typeof COLORS)[number];

const opaqueBox = fc.record({
  x: fc.nat(1000),
  y: fc.nat(1000),
  width: fc.constantFrom(1, 1, 2, 3, 8, 40),
  height: fc.constantFrom(1, 1, 2, 3, 8, 60),
  colour: fc.constantFrom(...COLORS),
  alpha: fc.constant(255),
});
const box = fc.oneof(opaqueBox, fc.record({ ...boxParts(), alpha: fc.constantFrom(0, 100, 255) }));

function boxParts() {
  return {
    x: fc.nat(1000),
    y: fc.nat(1000),
    width: fc.constantFrom(1, 3, 8),
    height: fc.constantFrom(1, 3, 8),
    colour: fc.constantFrom(...COLORS),
  };
}

/** Draws boxes on a white page for `seed` 0, else on dense noise of the colors. */
function draw(width: number, height: number, seed: number, boxes: Box[]): TestImage {
  const data = new Uint8Array(width * height * 4).fill(255);
  let state = seed;
  for (let i = 0; seed > 0 && i < width * height; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data.set(COLORS[(state >>> 16) % COLORS.length] ?? [], i * 4);
  }
  for (const b of boxes) {
    const [left, top] = [b.x % width, b.y % height];
    for (let y = top; y < Math.min(top + b.height, height); y++) {
      for (let x = left; x < Math.min(left + b.width, width); x++) {
        data.set([...b.colour, b.alpha], (y * width + x) * 4);
      }
    }
  }
  return { width, height, data };
}

/** The default threshold, and ones that distinguish more or fewer of the colors. */
const colorThreshold = fc.constantFrom(0.1, 0.1, 0, 0.005, 0.3, 1);

describe("findAllChanges", () => {
  it("finds exactly pixelmatch's pixels, wherever strips and crops end", async () => {
    const scene = fc.record({
      width: fc.integer({ min: 1, max: 50 }),
      height: fc.integer({ min: 1, max: 90 }),
      seed: fc.constantFrom(0, 0, 0, 1, 2),
      base: fc.array(opaqueBox, { maxLength: 40 }),
      shift: fc.constantFrom(0, 0, 0, 1, 3),
      edits: fc.array(opaqueBox, { maxLength: 6 }),
      alpha: fc.boolean(),
      filters: fc.array(fc.array(fc.nat(4), { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 2 }),
      waitingBytes: fc.constantFrom(0, 3_000, undefined),
      stripBytes: fc.constantFrom(1, 1, 500, 2000),
      colorThreshold,
    });
    await fc.assert(
      fc.asyncProperty(
        scene,
        async ({ width, height, seed, base, shift, edits, alpha, filters, colorThreshold, ...sizes }) => {
          const before = draw(width, height, seed, base);
          const moved = base.map(b => ({ ...b, y: b.y + shift }));
          const after = draw(width, height, seed, [...moved, ...edits]);
          const pngs = [before, after].map((picture, index) => {
            const own = filters[index % filters.length] ?? [];
            return openPng(encodePng(picture, { alpha, filterOf: y => own[y % own.length] ?? 0 }));
          });
          const [first, second] = pngs;
          assert(first && second);
          const changes = await findAllChanges(first, second, { colorThreshold, ...sizes });
          assertExact(changes, before, after, colorThreshold);
        },
      ),
      { numRuns: 600 },
    );
  });

  it("finds exactly pixelmatch's pixels in large images whose strips are released meanwhile", async () => {
    const scene = fc.record({
      width: fc.integer({ min: 150, max: 250 }),
      height: fc.integer({ min: 200, max: 700 }),
      base: fc.array(opaqueBox, { maxLength: 20 }),
      edits: fc.array(opaqueBox, { minLength: 1, maxLength: 6 }),
      waitingBytes: fc.constantFrom(0, 50_000, undefined),
      stripBytes: fc.constantFrom(20_000, 40_000),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ width, height, base, edits, stripBytes, waitingBytes }) => {
        const before = draw(width, height, 0, base);
        const after = draw(width, height, 0, [...base, ...edits]);
        const [first, second] = [before, after].map(picture =>
          openPng(encodePng(picture, { filterOf: () => 2 })),
        );
        assert(first && second);
        assertExact(await findAllChanges(first, second, { stripBytes, waitingBytes }), before, after);
      }),
      { numRuns: 60 },
    );
  });

  it("finds exactly pixelmatch's pixels for translucent pixels and unequal sizes", async () => {
    const scene = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 4, maxLength: 4 }),
      same: fc.constantFrom("size", "width", "neither"),
      stripBytes: fc.constantFrom(1, 300, 2000, undefined),
      seed: fc.constantFrom(0, 0, 1),
      base: fc.array(box, { maxLength: 20 }),
      edits: fc.array(box, { maxLength: 6 }),
      alphas: fc.tuple(fc.boolean(), fc.boolean()),
      colorThreshold,
    });
    await fc.assert(
      fc.asyncProperty(
        scene,
        async ({ sizes: [w1 = 1, h1 = 1, w2 = 1, h2 = 1], same, seed, base, edits, alphas, ...how }) => {
          const opaque = (boxes: Box[], alpha: boolean) =>
            alpha ? boxes : boxes.map(b => ({ ...b, alpha: 255 }));
          const before = draw(w1, h1, seed, opaque(base, alphas[0]));
          const after = draw(
            same === "neither" ? w2 : w1,
            same === "size" ? h1 : h2,
            seed,
            opaque([...base, ...edits], alphas[1]),
          );
          const first = openPng(encodePng(before, { alpha: alphas[0] }));
          const second = openPng(encodePng(after, { alpha: alphas[1] }));
          assertExact(await findAllChanges(first, second, how), before, after, how.colorThreshold);
        },
      ),
      { numRuns: 600 },
    );
  });

  it("finds exactly pixelmatch's pixels outside of ignore regions", async () => {
    const scene = fc.record({
      width: fc.integer({ min: 1, max: 50 }),
      heights: fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 })),
      widen: fc.constantFrom(0, 0, 0, 3),
      seed: fc.constantFrom(0, 0, 1),
      base: fc.array(opaqueBox, { maxLength: 20 }),
      edits: fc.array(opaqueBox, { minLength: 1, maxLength: 6 }),
      stripBytes: fc.constantFrom(1, 500, undefined),
      ignoreRegions: fc.array(
        fc.record({
          x: fc.nat(55),
          y: fc.nat(75),
          width: fc.integer({ min: 1, max: 60 }),
          height: fc.integer({ min: 1, max: 40 }),
        }),
        { maxLength: 8 },
      ),
      colorThreshold,
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ width, heights, widen, seed, base, edits, ...how }) => {
        const before = draw(width, heights[0], seed, base);
        const after = draw(width + widen, heights[1], seed, [...base, ...edits]);
        const [first, second] = [before, after].map(picture => openPng(encodePng(picture)));
        assert(first && second);
        const changes = await findAllChanges(first, second, how);
        const plain = expectedChanges(before, after, how.colorThreshold);
        const union = { changed: plain.changed, width: Math.max(before.width, after.width) };
        const ignored = expectedIgnored(union, how.ignoreRegions);
        const hidden = ignored.reduce((sum, pixels) => sum + pixels, 0);
        assert.deepEqual(changes.ignoredPixels, ignored);
        // The mask includes ignored pixels, so that they stay visible.
        assertExact(
          { ...changes, diffPixels: changes.diffPixels + hidden },
          before,
          after,
          how.colorThreshold,
        );
        for (const { y, left, right } of changes.runs) {
          for (const x of [left, right])
            assert(
              !how.ignoreRegions.some(region => holds(region, x, y)),
              `a change starts or ends at ${x}, ${y}`,
            );
        }
        assert.equal(changes.runs.length > 0, changes.diffPixels > 0);
      }),
      { numRuns: 400 },
    );
  });

  it("finds changes in palette, gray, 16-bit, and interlaced files", async () => {
    const before = draw(30, 30, 0, [{ x: 3, y: 3, width: 8, height: 8, colour: COLORS[0], alpha: 255 }]);
    const after = draw(30, 30, 0, [{ x: 5, y: 3, width: 8, height: 8, colour: COLORS[0], alpha: 255 }]);
    const raw = { width: 30, height: 30, channels: 4 } as const;
    const image = (picture: TestImage) => sharp(picture.data, { raw });
    const files = [
      image(before).png({ palette: true }),
      image(before).greyscale().png(),
      image(before).toColourspace("rgb16").png(),
      image(before).png({ progressive: true }),
    ];
    for (const file of files) {
      const changes = await findAllChanges(openPng(await file.toBuffer()), openPng(encodePng(after)));
      assertExact(changes, before, after);
    }
  });
});
