import assert from "node:assert/strict";
import sharp from "sharp";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import { encodePng, type TestImage } from "../../support/fixtures/png.ts";

const WIDTH = 400;

/** Returns an empty page. */
function page(height: number, background = 255): TestImage {
  return { width: WIDTH, height, data: new Uint8Array(WIDTH * height * 4).fill(background).map(opaque) };
}

function opaque(value: number, i: number): number {
  return i % 4 === 3 ? 255 : value;
}

function fill(image: TestImage, x: number, y: number, width: number, height: number, shade: number): void {
  for (let row = y; row < y + height; row++) {
    image.data
      .subarray((row * WIDTH + x) * 4, (row * WIDTH + x + width) * 4)
      .set(new Uint8Array(width * 4).fill(shade).map(opaque));
  }
}

/** Writes `lines` of words: 20 px per line, words 30 px wide and 10 px apart. */
function write(image: TestImage, x: number, y: number, lines: number, shade = 0): void {
  for (let line = 0; line < lines; line++) {
    for (let word = 0; word < 4; word++) fill(image, x + word * 40, y + line * 20, 30, 8, shade);
  }
}

function edited(height: number, edit: (image: TestImage) => void, background?: number): Buffer {
  const image = page(height, background);
  edit(image);
  return encodePng(image);
}

async function fingerprintOf(before: Buffer, after: Buffer): Promise<string | null> {
  return (await compareScreenshots(before, after)).fingerprint;
}

describe("compareScreenshots", () => {
  it("finds no change in equal bytes or in equal pixels with another compression", async () => {
    const image = page(50);
    write(image, 10, 10, 1);
    const nothing = {
      width: WIDTH,
      height: 50,
      diffPixels: 0,
      diffRatio: 0,
      faintPixels: 0,
      regions: [],
      ignored: [],
      mask: null,
      fingerprint: null,
    };
    assert.deepEqual(await compareScreenshots(encodePng(image), encodePng(image)), nothing);
    const otherwise = encodePng(image, { filterOf: () => 4 });
    assert.deepEqual(await compareScreenshots(encodePng(image), otherwise), nothing);
  });

  it("counts no pixels inside ignore regions, and reports what each of them hid", async () => {
    const before = encodePng(page(600));
    const after = edited(600, image => {
      fill(image, 100, 100, 20, 20, 90);
      fill(image, 300, 500, 10, 10, 90);
    });
    const clock = { x: 95, y: 95, width: 30, height: 30 };
    const rest = { x: 0, y: 400, width: WIDTH, height: 200 };
    const some = await compareScreenshots(before, after, { ignoreRegions: [clock] });
    assert.deepEqual(some.ignored, [{ ...clock, pixels: 400 }]);
    assert.deepEqual(some.regions, [{ x: 300, y: 500, width: 10, height: 10 }]);
    assert.equal(some.diffPixels, 100);
    const alone = edited(600, image => fill(image, 300, 500, 10, 10, 90));
    assert.equal(
      some.fingerprint,
      await fingerprintOf(before, alone),
      "what is hidden is no part of the change",
    );

    const all = await compareScreenshots(before, after, { ignoreRegions: [clock, rest] });
    assert.deepEqual(
      all.ignored.map(({ pixels }) => pixels),
      [400, 100],
    );
    assert.deepEqual([all.diffPixels, all.diffRatio, all.regions, all.fingerprint], [0, 0, [], null]);
    const everything = await compareScreenshots(before, after);
    assert.deepEqual(all.mask, everything.mask, "the mask shows what was hidden");

    const same = await compareScreenshots(before, before, { ignoreRegions: [clock] });
    assert.deepEqual([same.ignored, same.mask], [[{ ...clock, pixels: 0 }], null]);
  });

  describe("with colors that differ by less than the color threshold", () => {
    const button = { x: 100, y: 100, width: 80, height: 20 };
    const paint = (image: TestImage, { x, y, width, height } = button, by = 5) =>
      fill(image, x, y, width, height, 255 - by);
    const before = encodePng(page(600));

    it("counts and outlines the pixels, which don't count as changed", async () => {
      const found = await compareScreenshots(
        before,
        edited(600, image => paint(image)),
      );
      assert.deepEqual([found.diffPixels, found.diffRatio, found.faintPixels], [0, 0, 80 * 20]);
      assert.deepEqual(found.regions, [button]);
      assert.ok(found.mask);
      const moved = edited(600, image => paint(image, { ...button, y: 300 }));
      assert.equal(
        await fingerprintOf(before, moved),
        found.fingerprint,
        "equal changes have one fingerprint",
      );
    });

    it("finds a difference of one in one channel", async () => {
      const after = edited(600, image => paint(image, button, 1));
      assert.equal((await compareScreenshots(before, after)).faintPixels, 80 * 20);
    });

    it("doesn't count them beside visible changes", async () => {
      const after = edited(600, image => {
        paint(image);
        fill(image, 300, 500, 10, 10, 90);
      });
      const { diffPixels, faintPixels, regions } = await compareScreenshots(before, after);
      assert.deepEqual([diffPixels, faintPixels, regions.length], [100, 0, 1]);
    });

    it("doesn't count them inside ignore regions, and counts them beside hidden changes", async () => {
      const faint = edited(600, image => paint(image));
      const hidden = await compareScreenshots(before, faint, { ignoreRegions: [button] });
      assert.deepEqual([hidden.faintPixels, hidden.fingerprint], [0, null]);
      const both = edited(600, image => {
        paint(image);
        fill(image, 300, 500, 10, 10, 90);
      });
      const ignoreRegions = [{ x: 300, y: 500, width: 10, height: 10 }];
      const { diffPixels, faintPixels, regions, ignored } = await compareScreenshots(before, both, {
        ignoreRegions,
      });
      assert.deepEqual([diffPixels, faintPixels, regions, ignored[0]?.pixels], [0, 80 * 20, [button], 100]);
    });

    it("leaves them out with a color threshold of the user", async () => {
      const after = edited(600, image => paint(image));
      const { faintPixels, mask } = await compareScreenshots(before, after, { colorThreshold: 0.2 });
      assert.deepEqual([faintPixels, mask], [0, null]);
    });

    it("finds the same in images that need pixelmatch", async () => {
      const gray = (shade: number) =>
        sharp({
          create: { width: 60, height: 40, channels: 3, background: { r: shade, g: shade, b: shade } },
        });
      const [a, b] = await Promise.all(
        [gray(200), gray(203)].map(image => image.toColorspace("b-w").png().toBuffer()),
      );
      const found = await compareScreenshots(a ?? before, b ?? before);
      assert.deepEqual([found.diffPixels, found.faintPixels], [0, 60 * 40]);
    });
  });

  it("outlines a changed paragraph once, and distant changes separately", async () => {
    const after = edited(600, image => {
      write(image, 20, 40, 4);
      fill(image, 300, 500, 20, 20, 90);
      fill(image, 100, 500, 20, 20, 90);
    });
    const { regions, diffPixels, diffRatio } = await compareScreenshots(encodePng(page(600)), after);
    assert.deepEqual(regions, [
      { x: 20, y: 40, width: 150, height: 68 },
      { x: 100, y: 500, width: 20, height: 20 },
      { x: 300, y: 500, width: 20, height: 20 },
    ]);
    assert.equal(diffPixels, 4 * 4 * 30 * 8 + 2 * 20 * 20);
    assert.equal(diffRatio, diffPixels / (WIDTH * 600));
  });

  it("returns at most 50 regions, which cover every change", async () => {
    const after = edited(3000, image => {
      for (let y = 10; y < 2950; y += 49) for (let x = 10; x < 390; x += 60) fill(image, x, y, 4, 4, 0);
    });
    const { regions } = await compareScreenshots(encodePng(page(3000)), after);
    assert(regions.length > 0 && regions.length <= 50);
    for (let y = 10; y < 2950; y += 49) {
      for (let x = 10; x < 390; x += 60) {
        const holds = regions.some(
          r => r.x <= x && r.y <= y && r.x + r.width >= x + 4 && r.y + r.height >= y + 4,
        );
        assert(holds, `${x}, ${y}`);
      }
    }
  });

  it("draws changed pixels in magenta on a transparent mask", async () => {
    const after = edited(40, image => fill(image, 391, 30, 9, 10, 0));
    const { mask } = await compareScreenshots(encodePng(page(40)), after);
    assert(mask);
    const { data, info } = await sharp(mask).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [WIDTH, 40]);
    for (let i = 0; i < WIDTH * 40; i++) {
      const isChanged = i % WIDTH >= 391 && i >= 30 * WIDTH;
      const pixel = [...data.subarray(i * 4, i * 4 + 4)];
      if (isChanged) assert.deepEqual(pixel, [255, 0, 255, 255]);
      else assert.equal(pixel[3], 0);
    }
  });

  it("counts the growth of a page in the union of both sizes", async () => {
    const { width, height, diffPixels, regions } = await compareScreenshots(
      encodePng(page(100)),
      encodePng(page(130)),
    );
    assert.deepEqual([width, height, diffPixels], [WIDTH, 130, WIDTH * 30]);
    assert.deepEqual(regions, [{ x: 0, y: 100, width: WIDTH, height: 30 }]);
  });
});

describe("the fingerprint of a change", () => {
  const footer = (shade: number, y: number) => (image: TestImage) => {
    fill(image, 0, y, WIDTH, 40, 200);
    write(image, 30, y + 4, 1, shade);
  };

  it("is equal for the same change anywhere on any page", async () => {
    const short = await fingerprintOf(edited(300, footer(0, 250)), edited(300, footer(120, 250)));
    const long = (shade: number) =>
      edited(3111, image => {
        write(image, 100, 300, 70);
        footer(shade, 3013)(image);
      });
    assert.equal(await fingerprintOf(long(0), long(120)), short);
    assert(short);
  });

  it("is equal if a page has the change several times", async () => {
    const once = await fingerprintOf(
      encodePng(page(200)),
      edited(200, image => fill(image, 9, 9, 12, 12, 0)),
    );
    const twice = edited(400, image => {
      fill(image, 50, 60, 12, 12, 0);
      fill(image, 300, 260, 12, 12, 0);
    });
    assert.equal(await fingerprintOf(encodePng(page(400)), twice), once);
  });

  it("differs by the color before, the color after, the shape, and adjacent changes", async () => {
    const prints = await Promise.all([
      fingerprintOf(edited(300, footer(0, 250)), edited(300, footer(120, 250))),
      fingerprintOf(edited(300, footer(20, 250)), edited(300, footer(120, 250))),
      fingerprintOf(edited(300, footer(0, 250)), edited(300, footer(121, 250))),
      fingerprintOf(
        encodePng(page(99)),
        edited(99, image => fill(image, 9, 9, 12, 12, 0)),
      ),
      fingerprintOf(
        encodePng(page(99)),
        edited(99, image => fill(image, 9, 9, 12, 13, 0)),
      ),
      fingerprintOf(
        encodePng(page(99)),
        edited(99, image => fill(image, 9, 9, 13, 12, 0)),
      ),
      fingerprintOf(
        encodePng(page(99)),
        edited(99, image => {
          fill(image, 9, 9, 12, 12, 0);
          fill(image, 200, 9, 12, 13, 0);
        }),
      ),
    ]);
    assert.equal(new Set(prints).size, prints.length);
  });
});
