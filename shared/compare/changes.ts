import pixelmatch from "pixelmatch";
import type { Bitmap } from "./bitmap.ts";
import { ChangeMap } from "./change-map.ts";

const PIXELMATCH = { threshold: 0.1, includeAA: false, diffMask: true } as const;

/**
 * Rows around a pixel that pixelmatch's anti-alias rule reads: it looks at the neighbours of the pixel's neighbours,
 * and asks of each whether it lies on the image's border.
 */
const MARGIN = 2;

/** Rows handed to pixelmatch at once: enough to make the margin cheap, few enough for the buffers to stay in cache. */
const STRIP_ROWS = 128;

/**
 * Marks the pixels that pixelmatch counts as changed between two images, both padded with transparent pixels to the
 * union of their sizes.
 */
export function findChanges(before: Bitmap, after: Bitmap): ChangeMap {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const changes = new ChangeMap(width, height);
  const a = pad(before, width, height);
  const b = pad(after, width, height);
  const bands = changedBands(a, b);
  // A translucent pixel is blended with a checkerboard that depends on its place in the whole image.
  if (bands.some(band => !isOpaque(a, band) || !isOpaque(b, band))) markWhole(a, b, changes);
  else for (const band of bands) markBand(a, b, band, changes);
  return changes;
}

interface Band {
  top: number;
  /** Exclusive. */
  bottom: number;
}

/** Runs of rows that differ, cut to strips. */
function changedBands(a: Bitmap, b: Bitmap): Band[] {
  const bands: Band[] = [];
  const rowBytes = a.width * 4;
  let open: Band | undefined;
  for (let y = 0; y < a.height; y++) {
    const from = y * rowBytes;
    if (Buffer.compare(a.data.subarray(from, from + rowBytes), b.data.subarray(from, from + rowBytes)) === 0)
      continue;
    if (open && y < open.bottom + MARGIN && y < open.top + STRIP_ROWS) open.bottom = y + 1;
    else {
      open = { top: y, bottom: y + 1 };
      bands.push(open);
    }
  }
  return bands;
}

function isOpaque({ width, height, data }: Bitmap, { top, bottom }: Band): boolean {
  const from = Math.max(top - MARGIN, 0) * width;
  const to = Math.min(bottom + MARGIN, height) * width;
  for (let i = from * 4 + 3; i < to * 4; i += 4) if (data[i] !== 255) return false;
  return true;
}

function markBand(a: Bitmap, b: Bitmap, { top, bottom }: Band, changes: ChangeMap): void {
  const from = Math.max(top - MARGIN, 0);
  const to = Math.min(bottom + MARGIN, a.height);
  const [first, last] = [from * a.width * 4, to * a.width * 4];
  const output = new Uint32Array((to - from) * a.width);
  const bytes = new Uint8Array(output.buffer);
  pixelmatch(
    a.data.subarray(first, last),
    b.data.subarray(first, last),
    bytes,
    a.width,
    to - from,
    PIXELMATCH,
  );
  // The margin's own changes are counted with their own band: here its border is not the image's.
  for (let y = top; y < bottom; y++) changes.markRow(y, output, (y - from) * a.width);
}

function markWhole(a: Bitmap, b: Bitmap, changes: ChangeMap): void {
  const output = new Uint32Array(a.width * a.height);
  pixelmatch(a.data, b.data, new Uint8Array(output.buffer), a.width, a.height, PIXELMATCH);
  for (let y = 0; y < a.height; y++) changes.markRow(y, output, y * a.width);
}

function pad(image: Bitmap, width: number, height: number): Bitmap {
  if (image.width === width && image.height === height) return image;
  const data = new Uint8Array(width * height * 4);
  const rowBytes = image.width * 4;
  for (let y = 0; y < image.height; y++) {
    data.set(image.data.subarray(y * rowBytes, (y + 1) * rowBytes), y * width * 4);
  }
  return { width, height, data };
}
