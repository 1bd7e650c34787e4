import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** By color type: samples a pixel, and the bit depths that there are (PNG specification, section 11.2.1). */
export const COLOR_TYPES = [
  { name: "gray", colorType: 0, samples: 1, depths: [1, 2, 4, 8, 16] },
  { name: "RGB", colorType: 2, samples: 3, depths: [8, 16] },
  { name: "palette", colorType: 3, samples: 1, depths: [1, 2, 4, 8] },
  { name: "gray with alpha", colorType: 4, samples: 2, depths: [8, 16] },
  { name: "RGBA", colorType: 6, samples: 4, depths: [8, 16] },
] as const;

type ColorType = (typeof COLOR_TYPES)[number];

interface Kind {
  type: ColorType;
  depth: number;
  isInterlaced?: boolean;
  /** Chunks between header and pixels, after the palette. */
  extra?: readonly Buffer[];
}

/** Columns and rows of Adam7's passes: first, and step. */
const ADAM7 = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 1, 0, 1]] as const;

/** Writes a PNG of any kind whose sample bytes are `byteAt(index)`, with two IDAT chunks. */
export function writePng(
  { type, depth, isInterlaced = false, extra = [] }: Kind,
  width: number,
  height: number,
  byteAt: (index: number) => number,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type.colorType, 0, 0, isInterlaced ? 1 : 0], 8);
  const rows: Buffer[] = [];
  let written = 0;
  for (const [left, across, top, down] of isInterlaced ? ADAM7 : WHOLE) {
    const columns = Math.ceil((width - left) / across);
    for (let y = top; y < height && columns > 0; y += down) {
      const row = Buffer.alloc(1 + Math.ceil((columns * type.samples * depth) / 8));
      for (let i = 1; i < row.length; i++) row[i] = byteAt(written++);
      rows.push(row);
    }
  }
  const packed = deflateSync(Buffer.concat(rows));
  const half = packed.length >> 1;
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...(type.name === "palette" ? [palette(2 ** depth)] : []),
    ...extra,
    chunk("IDAT", packed.subarray(0, half)),
    chunk("IDAT", packed.subarray(half)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The transparent color, or alpha of the first two palette entries; null where a color type has no such chunk. */
export function transparency({ colorType }: ColorType): Buffer | null {
  if (colorType === 0) return chunk("tRNS", Buffer.from([0, 1]));
  if (colorType === 2) return chunk("tRNS", Buffer.from([0, 0, 0, 1, 0, 0]));
  return colorType === 3 ? chunk("tRNS", Buffer.from([0, 100])) : null;
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The chunks of a PNG, by where each begins and ends in it. */
export function chunksOf(png: Buffer): { type: string; start: number; end: number; data: Buffer }[] {
  const found = [];
  for (let start = SIGNATURE.length; start < png.length; ) {
    const dataEnd = start + 8 + png.readUInt32BE(start);
    const type = png.toString("latin1", start + 4, start + 8);
    found.push({ type, start, end: dataEnd + 4, data: png.subarray(start + 8, dataEnd) });
    start = dataEnd + 4;
  }
  return found;
}

/** All entries differ. */
function palette(entries: number): Buffer {
  return chunk("PLTE", Buffer.from(Array.from({ length: entries * 3 }, (_entry, i) => (i * 37) & 255)));
}
