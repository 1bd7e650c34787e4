import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { describe, it } from "mocha";
import {
  imageData,
  openPng,
  requireComparable,
  requireComplete,
  UnreadableImageError,
} from "../../../shared/compare/png-file.ts";
import { chunk } from "../../support/fixtures/png-kinds.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const DAMAGED = "the PNG is damaged or incomplete";
/** One red pixel, without a filter. */
const SCANLINES = deflateSync(Buffer.from([0, 255, 0, 0]));
const DATA = chunk("IDAT", SCANLINES);
const END = chunk("IEND", Buffer.alloc(0));

/** Fields of a PNG's header. */
const PLAIN = { width: 1, height: 1, depth: 8, colorType: 2, compression: 0, filters: 0, interlaced: 0 };

function header(fields: Partial<typeof PLAIN> = {}): Buffer {
  const { width, height, depth, colorType, compression, filters, interlaced } = { ...PLAIN, ...fields };
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colorType, compression, filters, interlaced], 8);
  return chunk("IHDR", data);
}

const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);
const opened = (...chunks: Buffer[]) => openPng(png(...chunks));

function assertUnreadable(read: () => unknown, message: string | RegExp): void {
  assert.throws(read, error => {
    assert(error instanceof UnreadableImageError);
    assert.equal(error.name, "UnreadableImageError");
    if (typeof message === "string") assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}

describe("The header of a PNG", () => {
  it("has its size and format", () => {
    const { bytes, ...facts } = opened(header({ width: 300, height: 200 }), DATA, END);
    assert.deepEqual(facts, { width: 300, height: 200, depth: 8, colorType: 2, plainPixelBytes: 3 });
    assert(bytes.equals(png(header({ width: 300, height: 200 }), DATA, END)));
  });

  it("is read from bytes in a larger buffer", () => {
    const file = png(header(), DATA, END);
    const padded = Buffer.concat([Buffer.alloc(5), file, Buffer.alloc(7)]);
    assert(openPng(padded.subarray(5, 5 + file.length)).bytes.equals(file));
  });

  it("is required, after the signature", () => {
    assertUnreadable(() => openPng(Buffer.alloc(0)), "the file is not a PNG");
    assertUnreadable(
      () => openPng(Buffer.concat([Buffer.from([0x88]), png(header()).subarray(1)])),
      "the file is not a PNG",
    );
    assertUnreadable(() => openPng(png(header()).subarray(0, 32)), "the PNG has no header");
    assertUnreadable(() => opened(DATA, chunk("tEXt", Buffer.alloc(30))), "the PNG has no header");
    assert.equal(openPng(png(header()).subarray(0, 33)).width, 1);
  });

  it("has pixels, but not more than a capture", () => {
    for (const size of [{ width: 0 }, { height: 0 }])
      assertUnreadable(() => opened(header(size), DATA, END), "the PNG has no pixels");
    assert.equal(opened(header({ width: 90_000, height: 853 }), DATA, END).width, 90_000);
    assertUnreadable(
      () => opened(header({ width: 90_001 }), DATA, END),
      "the PNG has 90001 × 1 pixels. At most 90,000 per side and 76,800,000 in total can be compared",
    );
  });

  it("limits each side and the whole", () => {
    requireComparable(3840, 20_000);
    requireComparable(90_000, 1);
    requireComparable(1, 90_000);
    for (const [width, height] of [
      [3840, 20_001],
      [3841, 20_000],
      [90_001, 1],
      [1, 90_001],
      [90_000, 854],
    ] as const)
      assertUnreadable(
        () => requireComparable(width, height),
        new RegExp(`^the PNG has ${width} × ${height} `),
      );
  });
});

describe("The pixels of a PNG", () => {
  it("are plain only with 8-bit RGB or RGBA, without interlacing", () => {
    const plainOf = (fields: Partial<typeof PLAIN>) => opened(header(fields), DATA, END).plainPixelBytes;
    assert.equal(plainOf({ colorType: 2 }), 3);
    assert.equal(plainOf({ colorType: 6 }), 4);
    for (const fields of [
      { colorType: 0 },
      { colorType: 3 },
      { colorType: 4 },
      { depth: 16 },
      { compression: 1 },
      { filters: 1 },
      { interlaced: 1 },
    ])
      assert.equal(plainOf(fields), null, JSON.stringify(fields));
  });

  it("are plain after chunks that may be skipped, but not after others", () => {
    const plainAfter = (...types: string[]) =>
      opened(header(), ...types.map(type => chunk(type, Buffer.alloc(6))), DATA, END).plainPixelBytes;
    assert.equal(plainAfter("gAMA", "iCCP", "tEXt", "vpAg"), 3);
    for (const type of ["tRNS", "PLTE", "CgBI"]) assert.equal(plainAfter(type), null, type);
    assert.equal(plainAfter("gAMA", "tRNS"), null);
  });

  it("are not plain without data", () => {
    assert.equal(opened(header(), END).plainPixelBytes, null);
    assert.equal(opened(header()).plainPixelBytes, null);
    // An empty chunk is 12 bytes long.
    assert.equal(opened(header(), chunk("IDAT", Buffer.alloc(0))).plainPixelBytes, 3);
    assert.equal(
      openPng(png(header(), chunk("IDAT", Buffer.alloc(0))).subarray(0, -1)).plainPixelBytes,
      null,
    );
  });

  it("are the data chunks together, without zlib's header, up to the end", () => {
    const [first, second] = [SCANLINES.subarray(0, 5), SCANLINES.subarray(5)];
    const file = opened(
      header(),
      chunk("tEXt", Buffer.from("Title")),
      chunk("IDAT", first),
      chunk("IDAT", second),
      END,
      chunk("IDAT", Buffer.from("more")),
    );
    assert.deepEqual([...imageData(file)], [...SCANLINES.subarray(2)]);
  });

  it("are refused with another compression than zlib's", () => {
    const withHeader = (method: number, flags: number) => {
      const bytes = Buffer.from(SCANLINES);
      bytes.set([method, flags]);
      return () => imageData(opened(header(), chunk("IDAT", bytes), END));
    };
    for (const [method, flags] of [
      [0x78, 0x01],
      [0x78, 0x9c],
      [0x08, 0x1d],
    ] as const)
      assert.equal(withHeader(method, flags)().length, SCANLINES.length - 2);
    // Its check bits are wrong, its method is not deflate, or it needs a dictionary.
    for (const [method, flags] of [
      [0x78, 0x02],
      [0x77, 0x09],
      [0x79, 0x1b],
      [0x78, 0x20],
      [0x78, 0xbb],
    ] as const)
      assertUnreadable(withHeader(method, flags), DAMAGED);
    assertUnreadable(() => imageData(opened(header(), END)), DAMAGED);
    assertUnreadable(() => imageData(opened(header(), chunk("IDAT", Buffer.alloc(0)), END)), DAMAGED);
  });

  it("are complete with data, an end, and the checksum of each chunk", () => {
    const check =
      (...chunks: Buffer[]) =>
      () =>
        requireComplete(opened(...chunks));
    const damaged = (given: Buffer) => {
      const bytes = Buffer.from(given);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      return bytes;
    };
    const note = chunk("tEXt", Buffer.from("Title"));
    check(header(), note, DATA, END)();
    // What follows the end doesn't belong to the image.
    check(header(), DATA, END, damaged(note))();
    assertUnreadable(check(header(), DATA), DAMAGED);
    assertUnreadable(check(header(), END), DAMAGED);
    assertUnreadable(check(header(), END, DATA), DAMAGED);
    assertUnreadable(check(damaged(header()), DATA, END), DAMAGED);
    assertUnreadable(check(header(), damaged(note), DATA, END), DAMAGED);
    assertUnreadable(check(header(), damaged(DATA), END), DAMAGED);
    assertUnreadable(check(header(), DATA, damaged(END)), DAMAGED);
    assertUnreadable(check(header(), DATA, END.subarray(0, -1)), DAMAGED);
    assertUnreadable(check(header(), DATA.subarray(0, -1)), DAMAGED);
  });
});
