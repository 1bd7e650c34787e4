import type { PageTree } from "./elements/page-tree.ts";

type Color = [red: number, green: number, blue: number, alpha: number];

/** Large text needs less contrast: WCAG 2.2, success criterion 1.4.3. */
const LARGE_PX = 24;
const LARGE_BOLD_PX = 18.66;
const BOLD = 700;
const WHITE: Color = [255, 255, 255, 1];

/** Returns the contrast that AA requires for the text of an element. */
export function requiredContrast(tree: PageTree, node: number): number {
  const size = Number.parseFloat(tree.computed(node, "font-size"));
  const isBold = Number(tree.computed(node, "font-weight")) >= BOLD;
  return size >= LARGE_PX || (isBold && size >= LARGE_BOLD_PX) ? 3 : 4.5;
}

/** Returns the contrast of an element's text with its background. Null if an image or an opacity is behind it. */
export function contrastOf(tree: PageTree, node: number): number | null {
  const color = readColor(tree.computed(node, "color"));
  const background = backgroundOf(tree, node);
  if (color === null || background === null || tree.computed(node, "visibility") === "hidden") return null;
  const [text, behind] = [luminance(over(color, background)), luminance(background)];
  return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
}

function backgroundOf(tree: PageTree, node: number): Color | null {
  const layers: Color[] = [];
  for (let above = node; above >= 0; above = tree.parent(above)) {
    if (tree.computed(above, "opacity") !== "1" && tree.computed(above, "opacity") !== "") return null;
    if (!["none", ""].includes(tree.computed(above, "background-image"))) return null;
    const color = readColor(tree.computed(above, "background-color"));
    if (color === null || color[3] === 0) continue;
    layers.push(color);
    if (color[3] === 1) break;
  }
  return layers.reduceRight<Color>((behind, layer) => over(layer, behind), WHITE);
}

const known = new Map<string, Color | null>();
const MAX_KNOWN = 5_000;

function readColor(value: string): Color | null {
  const color = known.get(value) ?? parseColor(value);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(value, color);
  return color;
}

function parseColor(value: string): Color | null {
  const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(value);
  if (!match) return null;
  return [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4] ?? 1)];
}

function over([red, green, blue, alpha]: Color, [r, g, b]: Color): Color {
  return [red * alpha + r * (1 - alpha), green * alpha + g * (1 - alpha), blue * alpha + b * (1 - alpha), 1];
}

function luminance([red, green, blue]: Color): number {
  const [r, g, b] = [red, green, blue].map(channel => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
