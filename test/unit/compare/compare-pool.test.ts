import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import { ComparePool } from "../../../shared/compare/compare-pool.ts";
import { UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { encodePng, framePng, type TestImage } from "../../support/fixtures/png.ts";

/** Returns a page whose pixels all depend on `seed`. Half of the compared rows are shared with the second thread. */
function noise(width: number, height: number, seed: number): TestImage {
  const data = new Uint8Array(width * height * 4);
  let state = seed;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = i % 4 === 3 ? 255 : state >>> 24;
  }
  return { width, height, data };
}

describe("ComparePool", () => {
  const small = encodePng(noise(60, 40, 1));
  const other = encodePng(noise(60, 40, 2));
  let pool: ComparePool;
  before(() => {
    pool = new ComparePool({ threads: 2 });
  });
  after(() => pool.close());

  it("returns the same as compareScreenshots for small and large changes", async () => {
    const large = [noise(900, 1500, 1), noise(900, 1500, 2)].map(image => encodePng(image));
    for (const [baseline, current] of [[small, other], large]) {
      assert(baseline && current);
      assert.deepEqual(await pool.compare(baseline, current), await compareScreenshots(baseline, current));
      const options = { ignoreRegions: [{ x: 10, y: 10, width: 40, height: 900 }] };
      const ignoring = await pool.compare(baseline, current, options);
      assert.deepEqual(ignoring, await compareScreenshots(baseline, current, options));
      assert(ignoring.ignored.every(({ pixels }) => pixels > 0));
    }
    assert(small.length > 0, "the buffers stay the caller's");
  });

  it("applies the color threshold to small and large changes", async () => {
    const flat = (shade: number, width: number, height: number) =>
      encodePng({ width, height, data: new Uint8Array(width * height * 4).fill(shade) }, { alpha: false });
    for (const [width, height] of [[60, 40] as const, [900, 1500] as const]) {
      const white = flat(255, width, height);
      const grey = flat(232, width, height);
      assert.equal((await pool.compare(white, grey)).diffRatio, 0);
      assert.equal((await pool.compare(white, grey, { colorThreshold: 0.05 })).diffRatio, 1);
      assert.equal((await pool.compare(white, flat(254, width, height), { colorThreshold: 0 })).diffRatio, 1);
    }
  });

  it("rejects incomplete PNGs with a reason, and keeps working", async () => {
    const bomb = framePng(100_000, 100_000, 2, deflateSync(Buffer.alloc(1_000_000)));
    const short = framePng(60, 40, 2, deflateSync(Buffer.alloc(1000)));
    const flipped = Buffer.from(other);
    flipped.writeUInt8(flipped.readUInt8(100) ^ 0xff, 100);
    const badFilter = framePng(1, 1, 2, deflateSync(Buffer.from([9, 1, 2, 3])));
    const hostile: [Buffer, RegExp][] = [
      [Buffer.from("GIF89a"), /not a PNG/],
      [Buffer.alloc(0), /not a PNG/],
      [other.subarray(0, 20), /no header/],
      [framePng(0, 40, 2, Buffer.alloc(0)), /no pixels/],
      [bomb, /100000 × 100000 pixels\. At most/],
      [framePng(1, 90_001, 2, Buffer.alloc(0)), /1 × 90001 pixels\. At most 90,000 per side/],
      [other.subarray(0, other.length - 400), /damaged or incomplete/],
      [short, /damaged or incomplete/],
      [flipped, /damaged or incomplete/],
      [framePng(60, 40, 2, Buffer.from("no deflate stream")), /damaged or incomplete/],
    ];
    for (const [file, message] of hostile) {
      const isExpected = (error: unknown) =>
        error instanceof UnreadableImageError && message.test(error.message);
      await assert.rejects(pool.compare(small, file), isExpected, String(message));
      await assert.rejects(pool.compare(file, small), isExpected, String(message));
    }
    const [wide, high] = [
      framePng(20_000, 3_840, 2, Buffer.alloc(0)),
      framePng(3_840, 20_000, 2, Buffer.alloc(0)),
    ];
    await assert.rejects(pool.compare(wide, high), /20000 × 20000 pixels\. At most/);
    const pixel = encodePng(noise(1, 1, 1));
    await assert.rejects(pool.compare(pixel, badFilter), /unknown filter/);
    assert((await pool.compare(small, other)).diffPixels > 0);
  });

  it("inflates no more than the header declares", async () => {
    const overfull = framePng(60, 40, 2, deflateSync(Buffer.alloc(200_000_000)));
    const before = process.memoryUsage().rss;
    assert((await pool.compare(small, overfull)).diffPixels > 0);
    assert(process.memoryUsage().rss - before < 100_000_000);
  });

  it("rejects when aborted before or during a comparison", async () => {
    await assert.rejects(pool.compare(small, other, { signal: AbortSignal.abort() }), { name: "AbortError" });
    const [baseline, current] = [noise(900, 3000, 3), noise(900, 3000, 4)].map(image => encodePng(image));
    assert(baseline && current);
    const controller = new AbortController();
    const comparing = pool.compare(baseline, current, { signal: controller.signal });
    controller.abort();
    await assert.rejects(comparing, { name: "AbortError" });
    assert((await pool.compare(small, other)).diffPixels > 0);
  });
});
