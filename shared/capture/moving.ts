import type { Page } from "playwright";
import { decodePng } from "../compare/bitmap.ts";
import { openPng } from "../compare/png-file.ts";
import { bounded } from "./bounded.ts";
import { changedBoxes, type MovedBox } from "./changed-boxes.ts";
import { nameElements } from "./in-page/name-elements.ts";
import type { Take } from "./take-screenshot.ts";

/** Names at most: more would hide the one that matters. */
const MAX_NAMES = 5;
/** A page that moves may also be too busy to answer. */
const NAME_MS = 5_000;

interface Pixels {
  width: number;
  /** One number a pixel. */
  values: Uint32Array;
}

/** What differed between takes, as `selector (what)`, most moving first; never empty. */
export async function nameMoving(page: Page, takes: Take[]): Promise<string[]> {
  const boxes: MovedBox[] = [];
  let before: Pixels | undefined;
  for (const { png, width } of takes) {
    const after: Pixels = { width, values: await pixelsOf(png) };
    if (before?.width === width) boxes.push(...changedBoxes(before.values, after.values, width));
    before = after;
  }
  boxes.sort((a, b) => b.pixels - a.pixels);
  const late = () => new Error("The page is too busy to be asked.");
  const names = await bounded(page.evaluate(nameElements, boxes.slice(0, 50)), NAME_MS, late).catch(() => []);
  const found = [...new Set([...resized(takes), ...names])].slice(0, MAX_NAMES);
  return found.length > 0 ? found : ["html (something on the page)"];
}

function resized(takes: Take[]): string[] {
  return (["width", "height"] as const)
    .filter(side => new Set(takes.map(take => take[side])).size > 1)
    .map(side => `html (the page's ${side})`);
}

async function pixelsOf(png: Buffer): Promise<Uint32Array> {
  const { data } = await decodePng(openPng(png));
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / Uint32Array.BYTES_PER_ELEMENT);
}
