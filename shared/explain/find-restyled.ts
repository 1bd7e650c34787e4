import type { Matches } from "./elements/match-nodes.ts";
import type { PageTree } from "./elements/page-tree.ts";

/** A computed property of an element that changed. */
export interface Restyled {
  /** The element after the change. */
  node: number;
  property: string;
  before: string;
  after: string;
}

const INHERITED = new Set([
  ...["color", "font-family", "font-size", "font-weight", "font-style", "line-height", "letter-spacing"],
  ...["word-spacing", "text-align", "text-transform", "text-indent", "white-space", "list-style-type"],
  ...["visibility", "fill", "stroke", "stroke-width", "text-shadow"],
]);
/** Properties whose default is the text color. */
const CURRENT_COLOR = /^(?:border-.*-color|outline-color)$/;
/** How far two ratios of font sizes may differ. */
const RATIO_TOLERANCE = 0.01;

type Difference = Omit<Restyled, "node">;

/** Finds the changed properties of matched elements, without those that follow from another one. */
export function findRestyled(before: PageTree, after: PageTree, { toBefore }: Matches): Restyled[] {
  const found: Restyled[] = [];
  const known = new Map<number, Difference[]>();
  const differencesOf = (node: number): Difference[] => {
    const earlier = toBefore[node] ?? -1;
    if (earlier === -1) return [];
    const [old, now] = [before.styleIndex(earlier), after.styleIndex(node)];
    if (old === -1 || now === -1) return [];
    const key = old * after.capsule.styles.length + now;
    const differences = known.get(key) ?? compareStyles(before, after, old, now);
    known.set(key, differences);
    return differences;
  };
  const html = differencesOf(0).find(({ property }) => property === "font-size");
  const rootRatio = ratioOf(html);
  for (let node = 0; node < after.size; node++) {
    const differences = differencesOf(node);
    if (differences.length === 0) continue;
    const parent = differencesOf(after.parent(node));
    const fontRatio = ratioOf(differences.find(({ property }) => property === "font-size"));
    const parentRatio = ratioOf(parent.find(({ property }) => property === "font-size"));
    for (const difference of differences) {
      const { property } = difference;
      const ratio = ratioOf(difference);
      const isOfFont = property === "font-size" ? parentRatio : (fontRatio ?? parentRatio);
      const isScaled = isSame(ratio, isOfFont) || (node !== 0 && isSame(ratio, rootRatio));
      if (isScaled && !(property === "font-size" && node === 0)) continue;
      if (INHERITED.has(property) && parent.some(other => isEqual(other, difference))) continue;
      if (CURRENT_COLOR.test(property) && followsColor(difference, differences)) continue;
      if (isUnseen(after, node, property)) continue;
      found.push({ node, ...difference });
    }
  }
  return found;
}

function compareStyles(before: PageTree, after: PageTree, old: number, now: number): Difference[] {
  const [was = [], is = []] = [before.style(old), after.style(now)];
  const { properties } = after.capsule;
  // Another version of the program may have captured other properties.
  const isSameList = before.capsule.properties.join() === properties.join();
  return properties.flatMap((property, at) => {
    const earlier = isSameList ? was[at] : was[before.capsule.properties.indexOf(property)];
    const later = is[at];
    if (earlier === undefined || later === undefined || earlier === later) return [];
    return [{ property, before: earlier, after: later }];
  });
}

function ratioOf(difference: Difference | undefined): number | null {
  const [old, now] = [px(difference?.before), px(difference?.after)];
  return old === null || now === null || old === 0 ? null : now / old;
}

function px(value: string | undefined): number | null {
  const match = /^(-?[\d.]+)px$/.exec(value ?? "");
  return match ? Number(match[1]) : null;
}

function isSame(ratio: number | null, other: number | null): boolean {
  return ratio !== null && other !== null && Math.abs(ratio - other) < RATIO_TOLERANCE;
}

function isEqual(a: Difference, b: Difference): boolean {
  return a.property === b.property && a.before === b.before && a.after === b.after;
}

function followsColor(difference: Difference, differences: readonly Difference[]): boolean {
  const color = differences.find(({ property }) => property === "color");
  return color?.before === difference.before && color.after === difference.after;
}

/** Returns whether a property changes nothing, such as the color of a border without a width. */
function isUnseen(tree: PageTree, node: number, property: string): boolean {
  const side = /^(border-(?:top|right|bottom|left)|outline)-(?:color|style)$/.exec(property)?.[1];
  return side !== undefined && property.endsWith("color") && tree.computed(node, `${side}-width`) === "0px";
}
