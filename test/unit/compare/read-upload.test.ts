import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { openPng, UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { readUpload, readUploadSize } from "../../../shared/compare/read-upload.ts";
import { hashOf, picture } from "../../support/drivers/build-client.ts";
import { framePng } from "../../support/fixtures/png.ts";

describe("An uploaded image", () => {
  it("keeps the bytes of a PNG, and becomes one otherwise, with the same pixels", async () => {
    const png = await picture("red");
    const { hash: _hash, ...kept } = await readUpload(png);
    assert.deepEqual(kept, { png, width: 300, height: 200 });
    const pixels = await sharp(png).removeAlpha().raw().toBuffer();
    const webp = await readUpload(await sharp(png).webp({ lossless: true }).toBuffer());
    assert.ok(pixels.equals(await sharp(webp.png).removeAlpha().raw().toBuffer()));
    const jpeg = await readUpload(await sharp(png).jpeg().toBuffer());
    assert.deepEqual([jpeg.width, jpeg.height], [300, 200]);
    const { width, height } = await readUploadSize(await sharp(png).webp().toBuffer());
    assert.deepEqual([width, height], [300, 200]);
    assert.deepEqual(jpeg, await readUpload(await sharp(png).jpeg().toBuffer()));
  });

  it("is refused if it is damaged, of another type, or too large to decode", async () => {
    const png = await picture("red");
    const damaged = Buffer.from(png);
    damaged[png.length - 20] = (damaged[png.length - 20] ?? 0) ^ 1;
    const jpeg = await sharp(png).jpeg().toBuffer();
    const gif = await sharp(png).gif().toBuffer();
    const large = Buffer.from(jpeg);
    const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5;
    large.writeUInt16BE(65_000, size);
    large.writeUInt16BE(65_000, size + 2);
    for (const bytes of [Buffer.alloc(0), damaged, png.subarray(0, 99), jpeg.subarray(0, 300), gif, large])
      await assert.rejects(readUpload(bytes), UnreadableImageError);
    await assert.rejects(readUploadSize(gif), /not a PNG, JPEG or WebP/);
    for (const read of [readUpload, readUploadSize])
      await assert.rejects(read(large), /65000 pixels\. At most/);
  });

  it("keeps the stored samples of other formats, without their color profile, as an RGB PNG", async () => {
    const png = await picture("#c04020");
    const profiled = await sharp(png).withIccProfile("p3").webp({ lossless: true }).toBuffer();
    const stored = await sharp(profiled, { ignoreIcc: true }).raw().toBuffer();
    const upload = await readUpload(profiled);
    const decoded = await sharp(upload.png).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([...decoded.data.subarray(-3)], [...stored.subarray(-3)]);
    assert(decoded.data.equals(stored));
    // Few colors don't make it a palette.
    assert.deepEqual([openPng(upload.png).colorType, openPng(upload.png).depth], [2, 8]);
    const printed = await sharp(png).toColourspace("cmyk").jpeg().toBuffer();
    assert.equal((await sharp(printed).metadata()).channels, 4);
    assert.equal(openPng((await readUpload(printed)).png).colorType, 2);
  });

  it("is hashed as it is stored", async () => {
    const png = await picture("blue");
    for (const bytes of [png, await sharp(png).jpeg().toBuffer()]) {
      const upload = await readUpload(bytes);
      assert.equal(upload.hash, hashOf(upload.png));
    }
  });

  it("is a known type by its content only", async () => {
    const webp = await sharp(await picture("red"))
      .webp()
      .toBuffer();
    const jpeg = await sharp(await picture("red"))
      .jpeg()
      .toBuffer();
    const unknown = [
      Buffer.concat([Buffer.from("RIFX"), webp.subarray(4)]),
      Buffer.concat([webp.subarray(0, 8), Buffer.from("WAVE"), webp.subarray(12)]),
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xfe]), jpeg.subarray(3)]),
      Buffer.concat([Buffer.from([0xfe]), jpeg.subarray(1)]),
      Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\r", "latin1"), jpeg]),
    ];
    for (const bytes of unknown)
      for (const read of [readUpload, readUploadSize])
        await assert.rejects(read(bytes), {
          name: "UnreadableImageError",
          message: "the file is not a PNG, JPEG or WebP image",
        });
  });

  it("has its size read from the header alone", async () => {
    const png = await picture("red");
    const jpeg = await sharp(png).jpeg().toBuffer();
    for (const bytes of [png.subarray(0, 60), jpeg.subarray(0, jpeg.length / 2)]) {
      const { width, height } = await readUploadSize(bytes);
      assert.deepEqual([width, height], [300, 200]);
    }
  });

  it("is refused with the decoder's error as the cause if its pixels are damaged", async () => {
    const jpeg = await sharp(await picture("red"))
      .jpeg()
      .toBuffer();
    const message = "the image is damaged or incomplete";
    // Its chunks are complete, but their data is too short for the size.
    const short = framePng(64, 64, 2, deflateSync(Buffer.alloc(64 * 3 * 60 + 60)));
    for (const bytes of [
      short,
      framePng(64, 64, 2, Buffer.from("no zlib")),
      jpeg.subarray(0, jpeg.length - 200),
    ])
      await assert.rejects(readUpload(bytes), error => {
        assert(error instanceof UnreadableImageError);
        assert.equal(error.message, message);
        assert(error.cause instanceof Error);
        return true;
      });
    await assert.rejects(readUploadSize(jpeg.subarray(0, 20)), { name: "UnreadableImageError", message });
  });
});
