import assert from "node:assert/strict";
import sharp from "sharp";
import { Thumbnails } from "../../services/gateway/thumbnails.ts";
import { imageQuery } from "../../shared/contracts/thumbnails.ts";

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

  it("come in few widths", () => {
    assert.equal(imageQuery.parse({ w: "320" }).w, 320);
    for (const w of ["321", "0", "-320", "1e2", "320.0", "", "10000", ["320", "640"]])
      assert.equal(imageQuery.safeParse({ w }).success, false, String(w));
  });

  it("are the whole image, as wide as asked for, and never wider than it is", async () => {
    const shrunk = await sharp(await thumbnails.take("a", 160, async () => png, there)).metadata();
    assert.deepEqual([shrunk.format, shrunk.width, shrunk.height], ["webp", 160, 600]);
    const whole = await sharp(await thumbnails.take("a", 1280, async () => png, there)).metadata();
    assert.deepEqual([whole.width, whole.height], [800, 3_000]);
    const long = await page(400, 20_000);
    const cut = await sharp(await thumbnails.take("long", 1280, async () => long, there)).metadata();
    assert.equal(cut.height, 16_000);
  });

  it("are made once for all who ask, and kept", async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return png;
    };
    const asked = await Promise.all(Array.from({ length: 20 }, () => thumbnails.take("a", 160, read, there)));
    assert.equal(new Set(asked).size, 1);
    await thumbnails.take("a", 160, read, there);
    assert.equal(reads, 1);
    await thumbnails.take("a", 320, read, there);
    assert.equal(reads, 2);
  });

  it("are made two at a time, in their order, and refused where too many wait", async () => {
    const images = Array.from({ length: 70 }, deferred);
    const begun: number[] = [];
    const takes = images.map(({ promise }, index) =>
      thumbnails.take(
        `image ${index}`,
        160,
        () => {
          begun.push(index);
          return promise;
        },
        there,
      ),
    );
    const outcomes = Promise.allSettled(takes);
    await assert.rejects(takes.at(-1) ?? Promise.resolve());
    assert.deepEqual(begun, [0, 1]);
    for (const { resolve } of images) resolve(png);
    const made = (await outcomes).filter(({ status }) => status === "fulfilled").length;
    assert.ok(made >= 64 && made < 70, `${made} were made`);
    assert.deepEqual(
      begun,
      Array.from({ length: made }, (_, index) => index),
    );
  });

  it("are not made for readers who have gone, but for one of them who has not", async () => {
    const slow = [deferred(), deferred()];
    const first = slow.map(({ promise }, index) =>
      thumbnails.take(`slow ${index}`, 160, () => promise, there),
    );
    let isThere = true;
    const gone = thumbnails.take(
      "gone",
      160,
      async () => assert.fail("it was read"),
      () => isThere,
    );
    const half = thumbnails.take(
      "half",
      160,
      async () => png,
      () => isThere,
    );
    const half2 = thumbnails.take("half", 160, async () => png, there);
    isThere = false;
    const refused = assert.rejects(gone, /Nobody waits/);
    for (const { resolve } of slow) resolve(png);
    await Promise.all([...first, refused]);
    assert.equal(await half, await half2);
  });

  it("fail for what is no image, and are tried again the next time", async () => {
    await assert.rejects(thumbnails.take("a", 160, async () => Buffer.from("no image"), there));
    assert.ok(await thumbnails.take("a", 160, async () => png, there));
  });

  it("are kept within bounds, the latest", async () => {
    let reads = 0;
    const take = (name: string) => {
      const read = async () => {
        reads += 1;
        return png;
      };
      return thumbnails.take(name, 160, read, there);
    };
    const { length } = await take("0");
    thumbnails = new Thumbnails(3 * length);
    reads = 0;
    for (const name of ["0", "1", "2", "0", "3"]) await take(name);
    assert.equal(reads, 4);
    for (const name of ["0", "2", "3"]) await take(name);
    assert.equal(reads, 4, "the latest were kept");
    await take("1");
    assert.equal(reads, 5, "the one asked for longest ago was not");
  });
});
