import type { Page } from "playwright";
import sharp from "sharp";
import { bounded } from "./bounded.ts";
import { changedBoxes, type MovedBox } from "./changed-boxes.ts";
import { nameElements } from "./in-page/name-elements.ts";
import type { Take } from "./take-screenshot.ts";

/** Names at most: more would hide the one that matters. */
const MAX_NAMES = 5;
/** A page that moves may also be too busy to answer. */
const NAME_MS = 5_000;

/** What differed between takes, as `selector (what)`, most moving first; never empty. */
export async function nameMoving(page: Page, takes: Take[]): Promise<string[]> {
  const boxes: MovedBox[] = [];
  const heights = new Set(takes.map(take => take.height));
  let previous: Uint32Array | null = null;
  for (const take of takes) {
    const pixels = await decode(take.png);
    const width = take.width;
    if (previous !== null) boxes.push(...changedBoxes(previous, pixels, width));
    previous = pixels;
  }
  boxes.sort((a, b) => b.pixels - a.pixels);
  const late = () => new Error("The page is too busy to be asked.");
  const names = await bounded(page.evaluate(nameElements, boxes.slice(0, 50)), NAME_MS, late).catch(() => []);
  const resized = heights.size > 1 ? ["html (the page's height)"] : [];
  const found = [...new Set([...resized, ...names])].slice(0, MAX_NAMES);
  return found.length > 0 ? found : ["html (something on the page)"];
}

/** One number a pixel. */
async function decode(png: Buffer): Promise<Uint32Array> {
  const { buffer, byteOffset, byteLength } = await sharp(png).ensureAlpha().raw().toBuffer();
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
