import { crc32, deflateSync } from "node:zlib";

/** 8-bit pixels to write as a PNG. */
export interface Picture {
  width: number;
  height: number;
  /** RGBA, rows without padding. */
  data: Uint8Array;
}

/**
 * Writes a PNG as browsers do: RGB, or RGBA when asked, one filter a row.
 * `filterOf` chooses the filter (0–4) of each row; by default "up".
 */
export function encodePng(
  picture: Picture,
  options: { alpha?: boolean; filterOf?: (y: number) => number } = {},
): Buffer {
  const { width, height } = picture;
  const pixelBytes = options.alpha ? 4 : 3;
  const rowBytes = width * pixelBytes;
  const scanlines = Buffer.alloc((rowBytes + 1) * height);
  let above = Buffer.alloc(rowBytes);
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(rowBytes);
    for (let i = 0; i < rowBytes; i++) {
      row[i] = picture.data[(y * width + Math.floor(i / pixelBytes)) * 4 + (i % pixelBytes)] ?? 0;
    }
    const filter = options.filterOf?.(y) ?? 2;
    scanlines[y * (rowBytes + 1)] = filter;
    scanlines.set(filterRow(filter, row, above, pixelBytes), y * (rowBytes + 1) + 1);
    above = row;
  }
  return framePng(width, height, options.alpha ? 6 : 2, deflateSync(scanlines, { level: 1 }));
}

/** Puts compressed scanlines between the chunks of an 8-bit PNG, whatever they hold. */
export function framePng(width: number, height: number, colorType: number, scanlines: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", scanlines),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function filterRow(filter: number, row: Buffer, above: Buffer, pixelBytes: number): Uint8Array {
  return row.map((value, i) => {
    const left = row[i - pixelBytes] ?? 0;
    const up = above[i] ?? 0;
    const corner = above[i - pixelBytes] ?? 0;
    return value - predict(filter, left, up, corner);
  });
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  const estimate = left + up - corner;
  const nearest = [left, up, corner].map((value, rank) => ({ value, rank, off: Math.abs(estimate - value) }));
  nearest.sort((a, b) => a.off - b.off || a.rank - b.rank);
  return nearest[0]?.value ?? 0;
}
