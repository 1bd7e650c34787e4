import assert from "node:assert/strict";
import sharp from "sharp";
import { UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { readUpload, readUploadSize } from "../../../shared/compare/read-upload.ts";
import { picture } from "../../support/drivers/build-client.ts";

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
});
