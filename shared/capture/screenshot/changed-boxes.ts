/** A connected area that differs, px from the top left. */
export interface ChangedBox {
  left: number;
  top: number;
  /** Exclusive. */
  right: number;
  bottom: number;
  /** Number of changed pixels in it. */
  pixels: number;
}

/** Changes that are closer than this belong together: about the height of a line of text. */
const TILE_PX = 16;

/**
 * Returns the areas in which two images of the same width differ, with one number per pixel. Rows that only one image
 * has are ignored.
 */
export function changedBoxes(before: Uint32Array, after: Uint32Array, width: number): ChangedBox[] {
  const tiles = changedTiles(before, after, width);
  const columns = Math.ceil(width / TILE_PX);
  const boxes: ChangedBox[] = [];
  for (const [start, first] of tiles) {
    tiles.delete(start);
    const box = { ...first };
    const queue = [start];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const neighbour of neighbours(at, columns)) {
        const tile = tiles.get(neighbour);
        if (tile === undefined) continue;
        tiles.delete(neighbour);
        queue.push(neighbour);
        box.left = Math.min(box.left, tile.left);
        box.top = Math.min(box.top, tile.top);
        box.right = Math.max(box.right, tile.right);
        box.bottom = Math.max(box.bottom, tile.bottom);
        box.pixels += tile.pixels;
      }
    }
    boxes.push(box);
  }
  return boxes;
}

/** Returns the changed areas by tile. A tile's number is `row * columns + column`. */
function changedTiles(before: Uint32Array, after: Uint32Array, width: number): Map<number, ChangedBox> {
  const columns = Math.ceil(width / TILE_PX);
  const tiles = new Map<number, ChangedBox>();
  const length = Math.min(before.length, after.length);
  for (let index = 0; index < length; index++) {
    if (before[index] === after[index]) continue;
    const x = index % width;
    const y = (index - x) / width;
    const key = Math.floor(y / TILE_PX) * columns + Math.floor(x / TILE_PX);
    const tile = tiles.get(key);
    if (tile === undefined) {
      tiles.set(key, { left: x, top: y, right: x + 1, bottom: y + 1, pixels: 1 });
      continue;
    }
    tile.left = Math.min(tile.left, x);
    tile.right = Math.max(tile.right, x + 1);
    tile.bottom = y + 1;
    tile.pixels++;
  }
  return tiles;
}

function neighbours(tile: number, columns: number): number[] {
  const column = tile % columns;
  const across = [0, ...(column > 0 ? [-1] : []), ...(column < columns - 1 ? [1] : [])];
  return [-columns, 0, columns]
    .flatMap(down => across.map(step => tile + down + step))
    .filter(other => other !== tile);
}
