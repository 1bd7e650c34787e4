import type { Page } from "playwright";
import { withTimeout } from "../../async.ts";
import { decodePng } from "../../compare/bitmap.ts";
import { openPng } from "../../compare/png-file.ts";
import { type ChangedBox, changedBoxes } from "../screenshot/changed-boxes.ts";
import type { PageImage } from "../screenshot/take-screenshot.ts";
import { NAME_TEXTS } from "../texts.ts";
import { type Area, nameElements } from "./in-page/name-elements.ts";

/** Maximum number of names. More would hide the one that matters. */
const MAX_NAMES = 5;
/** A page that moves may also be too busy to respond. */
const NAME_MS = 5_000;

/**
 * Returns the areas in which attempts differ from the previous one, most changed pixels first. Rows and columns that
 * only one attempt has are ignored.
 */
export async function boxesBetween(images: readonly PageImage[]): Promise<ChangedBox[]> {
  const boxes: ChangedBox[] = [];
  let before: { width: number; values: Uint32Array } | undefined;
  const different = images.filter((image, index) => image.hash !== images[index - 1]?.hash);
  if (different.length < 2) return [];
  for (const { png, width } of different) {
    const after = { width, values: await pixelsOf(png) };
    if (before?.width === width) boxes.push(...changedBoxes(before.values, after.values, width));
    before = after;
  }
  return boxes.sort((a, b) => b.pixels - a.pixels);
}

/** Returns the rows and columns that only some of the attempts have. */
export function resizedBoxes(images: readonly PageImage[]): ChangedBox[] {
  const [widths, heights] = [images.map(image => image.width), images.map(image => image.height)];
  const [right, bottom] = [Math.max(...widths), Math.max(...heights)];
  const [left, top] = [Math.min(...widths), Math.min(...heights)];
  const rows = { left: 0, top, right, bottom, pixels: (bottom - top) * right };
  const columns = { left, top: 0, right, bottom, pixels: (right - left) * bottom };
  return [rows, columns].filter(({ pixels }) => pixels > 0);
}

/**
 * Returns what differed between attempts, as `selector (what)`, most changed first; never empty.
 * @param boxes where they differed, most changed pixels first
 */
export async function nameMoving(
  page: Page,
  images: readonly PageImage[],
  boxes: readonly ChangedBox[],
): Promise<string[]> {
  const tooLate = () => new Error(NAME_TEXTS.tooBusy);
  const areas = boxes.slice(0, 50).map(box => toPageArea(box, images.at(-1)));
  const names = await withTimeout(page.evaluate(nameElements, areas), NAME_MS, tooLate).catch(() => []);
  const found = [...new Set([...resized(images), ...names])].slice(0, MAX_NAMES);
  return found.length > 0 ? found : [NAME_TEXTS.somewhere];
}

/** Returns where an image shows the page in this box, CSS px from the top left of the page. */
function toPageArea({ left, top, right, bottom }: ChangedBox, image: PageImage | undefined): Area {
  const part = image?.parts.findLast(part => part.top <= top);
  if (image === undefined || part === undefined) return { left, top, right, bottom };
  const { scale } = image;
  const { x, y } = part.area;
  return {
    left: x + left / scale,
    right: x + right / scale,
    top: y + (top - part.top) / scale,
    bottom: y + (bottom - part.top) / scale,
  };
}

function resized(images: readonly PageImage[]): string[] {
  return (["width", "height"] as const)
    .filter(side => new Set(images.map(image => image[side])).size > 1)
    .map(side => NAME_TEXTS.size(side));
}

/** Returns one number per pixel. */
async function pixelsOf(png: Buffer): Promise<Uint32Array> {
  const { data } = await decodePng(openPng(png));
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / Uint32Array.BYTES_PER_ELEMENT);
}
