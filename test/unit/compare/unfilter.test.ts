import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { lastRow, unfilter } from "../../../shared/compare/unfilter.ts";

const FILTERS = [0, 1, 2, 3, 4];
/** Bytes whose sums wrap around, and which are often equally near to a prediction. */
const BYTES = [0, 1, 2, 3, 4, 127, 128, 129, 254, 255];
const ROWS = 40;

/** Returns pseudorandom numbers below a bound. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return bound => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Predicts a byte as the PNG specification writes it (section 9.2). */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter !== 4) return 0;
  const estimate = left + up - corner;
  const [fromLeft, fromUp, fromCorner] = [left, up, corner].map(value => Math.abs(estimate - value));
  assert(fromLeft !== undefined && fromUp !== undefined && fromCorner !== undefined);
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

/** Undoes the filter of one scanline, byte by byte. */
function plainRow(scanline: Uint8Array, above: Uint8Array, pixelBytes: number): Uint8Array {
  const row = new Uint8Array(scanline.length - 1);
  for (let i = 0; i < row.length; i++) {
    const [left, corner] = [row[i - pixelBytes] ?? 0, above[i - pixelBytes] ?? 0];
    row[i] = (scanline[i + 1] ?? 0) + predicted(scanline[0] ?? 0, left, above[i] ?? 0, corner);
  }
  return row;
}

/** Returns the plain rows of a strip. */
function plainRows(strip: Uint8Array, rowBytes: number, pixelBytes: number, above: Uint8Array): Uint8Array[] {
  let previous = above;
  return Array.from({ length: strip.length / (rowBytes + 1) }, (_row, y) => {
    const scanline = strip.subarray(y * (rowBytes + 1), (y + 1) * (rowBytes + 1));
    previous = plainRow(scanline, previous, pixelBytes);
    return previous;
  });
}

interface Strip {
  title: string;
  strip: Buffer;
  rowBytes: number;
  pixelBytes: number;
  above: Uint8Array;
}

/** Yields strips of each filter alone and of all, with and without bytes beyond the last group of four. */
function* strips(): Generator<Strip> {
  const random = numbers(11);
  const byte = () => BYTES[random(BYTES.length)] ?? 0;
  for (const pixelBytes of [3, 4]) {
    for (const width of [1, 2, 3, 7, 16]) {
      for (const filters of [...FILTERS.map(filter => [filter]), FILTERS]) {
        const rowBytes = width * pixelBytes;
        const rows = Array.from({ length: ROWS }, () => {
          const filter = filters[random(filters.length)] ?? 0;
          // Many rows of a page repeat the row above.
          const repeats = random(4) === 0;
          return [filter, ...Array.from({ length: rowBytes }, () => (repeats ? 0 : byte()))];
        });
        const title = `${width} px of ${pixelBytes} bytes, filters ${filters.join(", ")}`;
        const above = Uint8Array.from({ length: rowBytes }, byte);
        yield { title, strip: Buffer.from(rows.flat()), rowBytes, pixelBytes, above };
      }
    }
  }
}

describe("The filters of a PNG's rows", () => {
  it("are undone in place, and the last row is a view", () => {
    for (const { title, strip, rowBytes, pixelBytes, above } of strips()) {
      const expected = plainRows(strip, rowBytes, pixelBytes, above);
      const last = unfilter(strip, rowBytes, pixelBytes, above);
      const found = expected.map((_row, y) =>
        strip.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1)),
      );
      assert.deepEqual(
        found.map(row => [...row]),
        expected.map(row => [...row]),
        title,
      );
      assert.deepEqual([...last], [...(expected.at(-1) ?? [])], title);
      assert.equal(last.buffer, strip.buffer);
    }
  });

  it("are undone for only the last row, and the strip and the row above stay", () => {
    for (const { title, strip, rowBytes, pixelBytes, above } of strips()) {
      const expected = plainRows(strip, rowBytes, pixelBytes, above).at(-1) ?? [];
      const [strips, rows] = [Buffer.from(strip), Uint8Array.from(above)];
      assert.deepEqual([...lastRow(strip, rowBytes, pixelBytes, above)], [...expected], title);
      assert(strip.equals(strips), title);
      assert.deepEqual(above, rows, title);
    }
  });

  it("predict from the nearest of three bytes, and prefer the left one, then the upper one", () => {
    const values = [0, 1, 2, 3, 100, 255];
    for (const left of values)
      for (const up of values)
        for (const corner of values) {
          const above = Uint8Array.from([corner, 0, 0, up, 0, 0]);
          // Its first pixel is the left one after the filter.
          const first = (left - predicted(4, 0, corner, 0)) & 255;
          const scanline = [4, first, 0, 0, 9, 0, 0];
          const row = unfilter(Buffer.from(scanline), 6, 3, above);
          const expected = (9 + predicted(4, left, up, corner)) & 255;
          assert.deepEqual([row[0], row[3]], [left, expected], `${left}, ${up}, ${corner}`);
        }
  });

  it("leave the row above as the last row of an empty strip", () => {
    const above = Uint8Array.from([1, 2, 3]);
    assert.deepEqual([...unfilter(Buffer.alloc(0), 3, 3, above)], [1, 2, 3]);
    assert.deepEqual([...lastRow(Buffer.alloc(0), 3, 3, above)], [1, 2, 3]);
  });

  it("are refused if they are unknown", () => {
    for (const filter of [5, 255])
      for (const undo of [unfilter, lastRow])
        assert.throws(
          () => undo(Buffer.from([filter, 1, 2, 3]), 3, 3, new Uint8Array(3)),
          error => {
            assert(error instanceof UnreadableImageError);
            assert.equal(error.message, "the PNG is damaged: a row has an unknown filter");
            return true;
          },
        );
  });
});
