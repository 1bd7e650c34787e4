import assert from "node:assert/strict";
import sharp from "sharp";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import { nameOfChange, readChangeName } from "../../../shared/links/change-image.ts";
import { cropAroundChanges } from "../../../shared/report/crop.ts";
import { drawChange } from "../../../shared/report/draw-change.ts";

const PAGE = { width: 1280, height: 6_000 };
const RED = "#c81e1e";

/** Returns a page with a blue square, and a red dot if given. */
async function page(dot?: { left: number; top: number; size: number }): Promise<Buffer> {
  const box = (left: number, top: number, size: number, background: string) => ({
    input: { create: { width: size, height: size, channels: 3 as const, background } },
    left,
    top,
  });
  return sharp({ create: { ...PAGE, channels: 3, background: "#ffffff" } })
    .composite([box(600, 4_000, 40, "#2f6feb"), ...(dot ? [box(dot.left, dot.top, dot.size, RED)] : [])])
    .png()
    .toBuffer();
}

/** Counts the pixels of each color in a panel of the image. */
async function colorsIn(picture: Buffer, panel: number): Promise<Map<string, number>> {
  const { data } = await sharp(picture)
    .extract({ left: panel * 241, top: 0, width: 238, height: 150 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colors = new Map<string, number>();
  for (let at = 0; at < data.length; at += 3) {
    const color = `#${data.toString("hex", at, at + 3)}`;
    colors.set(color, (colors.get(color) ?? 0) + 1);
  }
  return colors;
}

async function changeImageOf(baseline: Buffer, current: Buffer): Promise<Buffer> {
  const { mask, regions } = await compareScreenshots(baseline, current);
  const crop = cropAroundChanges(regions, PAGE);
  assert.ok(mask && crop);
  return drawChange({ baseline, current, diff: mask }, crop);
}

describe("drawChange", () => {
  it("shows a few changed pixels of a long page before, after, and outlined", async () => {
    const picture = await changeImageOf(await page(), await page({ left: 660, top: 4_010, size: 4 }));
    const { width, height, format } = await sharp(picture).metadata();
    assert.deepEqual([width, height, format], [720, 150, "png"]);
    const [before, after, difference] = await Promise.all([0, 1, 2].map(panel => colorsIn(picture, panel)));
    assert.ok((before?.get("#2f6feb") ?? 0) > 1_000, "what is around the change is shown");
    assert.equal(before?.get(RED), undefined);
    assert.ok((after?.get(RED) ?? 0) >= 4, "the changed pixels are shown");
    assert.ok((after?.get("#2f6feb") ?? 0) > 1_000);
    assert.equal(after?.get("#ff00ff"), undefined, "nothing covers them");
    const marked = difference?.get("#ff00ff") ?? 0;
    assert.ok(marked > 60 && marked < 200, `the change and its outline: ${marked} px`);
    const white = difference?.get("#fefefe") ?? 0;
    assert.ok(white > 20_000 && white < 35_000, "the page is faded, not blank");
  });

  it("marks a single pixel of a change as wide as the page", async () => {
    const [baseline, current] = [
      await page({ left: 0, top: 3_700, size: 4 }),
      await page({ left: 1_270, top: 3_900, size: 1 }),
    ];
    const { regions } = await compareScreenshots(baseline, current);
    assert.equal(cropAroundChanges(regions, PAGE)?.width, PAGE.width);
    const difference = await sharp(await changeImageOf(baseline, current))
      .extract({ left: 2 * 241 + 200, top: 30, width: 38, height: 60 })
      .removeAlpha()
      .raw()
      .toBuffer();
    const marks = Array.from({ length: difference.length / 3 }, (_, pixel) =>
      difference.toString("hex", pixel * 3, pixel * 3 + 3),
    ).filter(color => color === "ff00ff");
    assert.ok(marks.length > 20);
  });

  it("shows the background if one of the pages ends before the change", async () => {
    const short = await sharp(await page())
      .extract({ left: 0, top: 0, width: PAGE.width, height: 3_000 })
      .png()
      .toBuffer();
    const picture = await changeImageOf(await page(), short);
    const [before, after] = await Promise.all([0, 1].map(panel => colorsIn(picture, panel)));
    assert.ok((before?.get("#ffffff") ?? 0) > 30_000);
    assert.ok((after?.get("#ffffff") ?? 0) > 30_000);
  });
});

describe("cropAroundChanges", () => {
  const region = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height });

  it("adds 24 px around the change, and crops no smaller than it draws without enlarging", () => {
    const small = cropAroundChanges([region(600, 4_000)], PAGE);
    assert.deepEqual(small, { x: 487, y: 3_931, width: 236, height: 148 });
    const wide = cropAroundChanges([region(100, 4_000, 600)], PAGE);
    assert.deepEqual([wide?.x, wide?.width], [76, 648]);
  });

  it("includes the regions of one window, and omits those further down", () => {
    const near = cropAroundChanges([region(100, 500), region(800, 4_000), region(400, 600)], PAGE);
    assert.ok(near && near.x <= 76 && near.x + near.width >= 434 && near.y + near.height < 1_000);
    assert.ok(near.y <= 476 && near.y + near.height >= 634);
  });

  it("starts at the top of a change that is taller than a window", () => {
    const tall = cropAroundChanges([region(100, 1_000, 20, 5), region(100, 1_010, 20, 3_000)], PAGE);
    assert.deepEqual(tall, { x: 0, y: 976, width: 1280, height: 800 });
  });

  it("stays within the page, and returns null without a region", () => {
    for (const [x, y] of [
      [0, 0],
      [1_270, 5_990],
    ] as const) {
      const crop = cropAroundChanges([region(x, y)], PAGE);
      assert.ok(crop && crop.x >= 0 && crop.y >= 0);
      assert.ok(crop.x + crop.width <= PAGE.width && crop.y + crop.height <= PAGE.height);
    }
    assert.equal(cropAroundChanges([], PAGE), null);
  });
});

describe("the name of a change image", () => {
  const picture = {
    baseline: "a".repeat(64),
    current: "b".repeat(64),
    diff: "c".repeat(64),
    crop: { x: 0, y: 19_850, width: 240, height: 150 },
  };

  it("is parsed as it was written, and nothing else is", () => {
    const name = nameOfChange(picture);
    assert.deepEqual(readChangeName(name), picture);
    for (const other of ["a".repeat(64), `${name}-1`, name.slice(1), name.replace("19850", "198500")])
      assert.equal(readChangeName(other), null, other);
  });
});
