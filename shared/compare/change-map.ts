/**
 * One bit per pixel of an image: set where it changed.
 *
 * The rows are laid out as PNG scanlines of one bit per pixel (a filter byte, which stays 0, then eight pixels
 * a byte, leftmost in the highest bit), so that the mask is deflated straight from here.
 */
export class ChangeMap {
  readonly width: number;
  readonly height: number;
  /** Bytes a row, the filter byte among them. */
  readonly stride: number;
  readonly scanlines: Uint8Array;
  /** Set bits. */
  count = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.stride = 1 + Math.ceil(width / 8);
    this.scanlines = new Uint8Array(this.stride * height);
  }

  /** Sets the bits of row `y` where `pixels`, from index `from` on, is not 0. */
  markRow(y: number, pixels: Uint32Array, from: number): void {
    const row = y * this.stride + 1;
    let marked = 0;
    for (let x = 0; x < this.width; x++) {
      if (pixels[from + x] === 0) continue;
      const at = row + (x >> 3);
      this.scanlines[at] = (this.scanlines[at] ?? 0) | (0x80 >> (x & 7));
      marked++;
    }
    this.count += marked;
  }

  has(x: number, y: number): boolean {
    return ((this.scanlines[y * this.stride + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
  }
}
