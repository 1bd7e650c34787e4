import assert from "node:assert/strict";
import sharp from "sharp";
import { QueueFullError, Thumbnails } from "../../../services/gateway/handlers/thumbnails.ts";
import { imageQuery } from "../../../shared/contracts/runs/thumbnails.ts";
import { bandAt, bandOf } from "../../../shared/links/thumbnail-widths.ts";

const page = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#2f6feb" } })
    .png()
    .toBuffer();

const there = () => true;
const deferred = () => Promise.withResolvers<Buffer>();

describe("Thumbnails", () => {
  let png: Buffer;
  let thumbnails: Thumbnails;
  before(async () => {
    png = await page(800, 3_000);
  });
  beforeEach(() => {
    thumbnails = new Thumbnails();
  });

  it("have a few fixed widths", () => {
    assert.equal(imageQuery.parse({ w: "320" }).w, 320);
    for (const w of ["321", "0", "-320", "1e2", "320.0", "", "10000", ["320", "640"]])
      assert.equal(imageQuery.safeParse({ w }).success, false, String(w));
    assert.equal(imageQuery.parse({ w: "320", band: "2" }).band, 2);
    const [issue] = imageQuery.safeParse({ band: "2" }).error?.issues ?? [];
    assert.deepEqual(issue?.path, ["band"]);
    assert.match(issue?.message ?? "", /w=320/);
  });

  it("show the whole image at the requested width, and never enlarge it", async () => {
    const shrunk = await sharp(
      await thumbnails.get("a", { w: 160, band: undefined }, async () => png, there),
    ).metadata();
    assert.deepEqual([shrunk.format, shrunk.width, shrunk.height], ["webp", 160, 600]);
    const whole = await sharp(
      await thumbnails.get("a", { w: 1280, band: undefined }, async () => png, there),
    ).metadata();
    assert.deepEqual([whole.width, whole.height], [800, 3_000]);
    const long = await page(400, 20_000);
    const cut = await sharp(
      await thumbnails.get("long", { w: 1280, band: undefined }, async () => long, there),
    ).metadata();
    assert.equal(cut.height, 16_000);
  });

  it("can be bands of a page, so that each image of a card is within one band", async () => {
    const stripes = sharp({ create: { width: 400, height: 3_000, channels: 3, background: "#fff" } });
    const red = { create: { width: 400, height: 250, channels: 3, background: "#f00" } } as const;
    const input = await sharp(red).png().toBuffer();
    const striped = await stripes
      .composite([{ input, left: 0, top: 750 }])
      .png()
      .toBuffer();
    const bandNo = async (band: number) => {
      const made = await thumbnails.get("striped", { w: 160, band }, async () => striped, there);
      const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true });
      return { height: info.height, isRed: (data[1] ?? 255) < 60 };
    };
    assert.deepEqual(await bandNo(0), { height: 200, isRed: false });
    assert.deepEqual(await bandNo(3), { height: 200, isRed: true });
    assert.deepEqual(await bandNo(11), { height: 100, isRed: false });
    assert.deepEqual(await bandNo(200), { height: 100, isRed: false }, "the last, where there are fewer");
    const tall = { width: 1280, height: 20_000 };
    for (const y of [0, 799, 800, 801, 12_345, 19_200]) {
      const { top, height } = bandOf(tall, bandAt(tall, y) ?? 0);
      assert.ok(top <= y && Math.min(y + 800, 20_000) <= top + height, `${y}: ${top} ${height}`);
    }
    assert.equal(bandAt({ width: 1280, height: 1_600 }, 900), null);
  });

  it("are the last band for any band below it", async () => {
    const read = async () => png;
    const bandNo = (band: number) => thumbnails.get("a", { w: 160, band }, read, there);
    const last = await bandNo(5);
    for (const band of [6, 200]) assert.equal(await bandNo(band), last);
    assert.notDeepEqual(await bandNo(4), await last);
  });

  it("are created once for all readers, and cached", async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return png;
    };
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => thumbnails.get("a", { w: 160, band: undefined }, read, there)),
    );
    assert.equal(new Set(asked).size, 1);
    await thumbnails.get("a", { w: 160, band: undefined }, read, there);
    assert.equal(reads, 1);
    await thumbnails.get("a", { w: 320, band: undefined }, read, there);
    assert.equal(reads, 2);
  });

  it("are created two at a time in order, and refused if too many wait", async () => {
    const images = Array.from({ length: 70 }, deferred);
    const begun: number[] = [];
    const takes = images.map(({ promise }, index) =>
      thumbnails.get(
        `image ${index}`,
        { w: 160, band: undefined },
        () => {
          begun.push(index);
          return promise;
        },
        there,
      ),
    );
    const outcomes = Promise.allSettled(takes);
    await assert.rejects(takes.at(-1) ?? Promise.resolve(), QueueFullError);
    assert.deepEqual(begun, [0, 1]);
    for (const { resolve } of images) resolve(png);
    const made = (await outcomes).filter(({ status }) => status === "fulfilled").length;
    assert.ok(made >= 64 && made < 70, `${made} were made`);
    assert.deepEqual(
      begun,
      Array.from({ length: made }, (_, index) => index),
    );
  });

  it("are not created after all readers disconnected, but for any that remains", async () => {
    const slow = [deferred(), deferred()];
    const first = slow.map(({ promise }, index) =>
      thumbnails.get(`slow ${index}`, { w: 160, band: undefined }, () => promise, there),
    );
    let isThere = true;
    const gone = thumbnails.get(
      "gone",
      { w: 160, band: undefined },
      async () => assert.fail("it was read"),
      () => isThere,
    );
    const half = thumbnails.get(
      "half",
      { w: 160, band: undefined },
      async () => png,
      () => isThere,
    );
    const half2 = thumbnails.get("half", { w: 160, band: undefined }, async () => png, there);
    isThere = false;
    const refused = assert.rejects(gone, /All requests for this thumbnail were closed/);
    for (const { resolve } of slow) resolve(png);
    await Promise.all([...first, refused]);
    assert.equal(await half, await half2);
  });

  it("fail for a file that is no image, and are retried next time", async () => {
    await assert.rejects(
      thumbnails.get("a", { w: 160, band: undefined }, async () => Buffer.from("no image"), there),
    );
    assert.ok(await thumbnails.get("a", { w: 160, band: undefined }, async () => png, there));
  });

  it("keep the latest within the cache's limit", async () => {
    let reads = 0;
    const get = (name: string) => {
      const read = async () => {
        reads += 1;
        return png;
      };
      return thumbnails.get(name, { w: 160, band: undefined }, read, there);
    };
    const { length } = await get("0");
    thumbnails = new Thumbnails(3 * length);
    reads = 0;
    for (const name of ["0", "1", "2", "0", "3"]) await get(name);
    assert.equal(reads, 4);
    for (const name of ["0", "2", "3"]) await get(name);
    assert.equal(reads, 4, "the latest were kept");
    await get("1");
    assert.equal(reads, 5, "the one asked for longest ago was not");
  });
});
