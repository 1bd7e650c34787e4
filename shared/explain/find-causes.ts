import type { Region } from "../compare/comparison.ts";
import type { Cause } from "../contracts/runs/explanation.ts";
import { type Blame, type FileBlame, NO_BLAME } from "./blame-file.ts";
import { changedArea } from "./changed-areas.ts";
import type { ElementChange } from "./elements/find-elements.ts";
import { foldShorthands } from "./elements/fold-shorthands.ts";
import type { Matches } from "./elements/match-nodes.ts";
import type { PageTree } from "./elements/page-tree.ts";
import type { Restyled } from "./find-restyled.ts";

/** One change of one element. */
export interface Change extends Blame {
  kind: Cause["kind"];
  /** -1 where the element isn't. */
  old: number;
  now: number;
  property: string | null;
  before: string | null;
  after: string | null;
  /** Whether something on the page shows why: a rule, an attribute or the element itself. */
  isSure: boolean;
  /** Whether a script may have computed it from the layout: a length in the `style` attribute. */
  isComputed?: boolean;
  /** Changed area in and around its boxes, square px. */
  area: number;
}

/** The two pages, and how they belong together. */
export interface Comparison {
  before: PageTree;
  after: PageTree;
  matches: Matches;
  blame: FileBlame;
  /** Changed regions in the page before and after, CSS px. Null if there are none to judge by. */
  regions: { before: Region[]; after: Region[] } | null;
}

/** Properties of the layout. Their computed values follow from it, so only rules and attributes tell that they changed. */
const LAYOUT = new Set([
  ...["width", "height", "min-width", "min-height", "max-width", "max-height", "inline-size", "block-size"],
  ...[
    "flex",
    "flex-basis",
    "flex-grow",
    "flex-shrink",
    "grid-template-columns",
    "grid-template-rows",
    "grid-template",
  ],
  ...[
    "grid-column",
    "grid-row",
    "grid-area",
    "grid-template-areas",
    "top",
    "right",
    "bottom",
    "left",
    "inset",
  ],
  ...[
    "aspect-ratio",
    "columns",
    "column-width",
    "box-sizing",
    "clear",
    "zoom",
    "transform",
    "margin",
    "padding",
  ],
]);
/** Values that the layout computes from others. */
const FOLLOWS_LAYOUT =
  /^(?:margin|padding|transform|background-position|max-width|min-height|line-height|border-.*-radius|row-gap|column-gap|gap)/;
/** Properties that draw outside of the box. */
const OUTSIDE = /^(?:box-shadow|text-shadow|outline|filter|transform|margin)/;
const OUTSIDE_PX = 48;
const NEAR_PX = 2;
/** Elements whose rules are searched. */
const MAX_RESIZED = 400;

/** Finds what changed in the elements, with the files that did it. Leaves out what no changed pixel is near to. */
export function findChanges(
  comparison: Comparison,
  restyled: Restyled[],
  elements: ElementChange[],
): Change[] {
  const styles = [...Map.groupBy(restyled, ({ node }) => node).values()].flatMap(foldShorthands);
  const found = [
    ...styles.map(change => styleChange(comparison, change)),
    ...elements.map(change => elementChange(comparison, change)),
    ...layoutChanges(comparison),
  ];
  return found
    .map(change => ({ ...change, area: areaOf(comparison, change) }))
    .filter(({ area }) => area > 0);
}

function areaOf({ before, after, regions }: Comparison, { old, now, property }: Change): number {
  if (regions === null) return 1;
  const widenPx = property !== null && OUTSIDE.test(property) ? OUTSIDE_PX : NEAR_PX;
  const was = old === -1 ? 0 : changedArea(before.box(old), regions.before, widenPx);
  const is = now === -1 ? 0 : changedArea(after.box(now), regions.after, widenPx);
  return Math.max(was, is);
}

function styleChange(comparison: Comparison, { node, property, before, after }: Restyled): Change {
  const old = comparison.matches.toBefore[node] ?? -1;
  const change = { kind: "style", old, now: node, property, before, after, area: 0 } as const;
  const rule = comparison.blame.ruleFor(node, longhandOf(property));
  if (rule !== null) return { ...change, ...rule, isSure: true };
  if (hasOtherAttributes(comparison, old, node)) {
    const isComputed = FOLLOWS_LAYOUT.test(property) && !hasOtherNames(comparison, old, node);
    return { ...change, ...NO_BLAME, file: comparison.blame.markup(), isSure: true, isComputed };
  }
  const file = FOLLOWS_LAYOUT.test(property) ? null : comparison.blame.onlySheet();
  return { ...change, ...NO_BLAME, file, isSure: false };
}

/** Returns a property that rules with the shorthand or any longhand set. */
function longhandOf(property: string): string {
  if (/^(?:padding|margin)$/.test(property)) return `${property}-top`;
  if (property === "border-radius") return "border-top-left-radius";
  const part = /^border-(width|style|color)$/.exec(property)?.[1];
  if (part !== undefined) return `border-top-${part}`;
  const axis = /^(padding|margin)-(block|inline)$/.exec(property);
  if (axis) return `${axis[1]}-${axis[2] === "block" ? "top" : "left"}`;
  return { gap: "row-gap", overflow: "overflow-x" }[property] ?? property;
}

function hasOtherAttributes(comparison: Comparison, old: number, node: number): boolean {
  const { before, after } = comparison;
  return (
    before.attribute(old, "style") !== after.attribute(node, "style") || hasOtherNames(comparison, old, node)
  );
}

function hasOtherNames({ before, after }: Comparison, old: number, node: number): boolean {
  return ["class", "id"].some(name => before.attribute(old, name) !== after.attribute(node, name));
}

function elementChange({ blame }: Comparison, change: ElementChange): Change {
  const { kind, before: old, after: now, property = null, old: before = null, now: after = null } = change;
  const facts = { kind, old, now, property, before, after, area: 0, isSure: true };
  const isVisibility = kind === "shown" || kind === "hidden";
  const rule = isVisibility ? blame.ruleFor(now, "display") : null;
  const isSameImage = kind === "image" && before === after && after !== null;
  const own: Blame = isSameImage ? { ...NO_BLAME, file: { url: after, change: "changed" } } : NO_BLAME;
  return { ...facts, ...(isSameImage ? own : (rule ?? { ...NO_BLAME, file: blame.markup() })) };
}

/** Finds elements with another size or position whose changed rule or `style` attribute tells why. */
function layoutChanges(comparison: Comparison): Change[] {
  const { before, after, matches, blame } = comparison;
  const found: Change[] = [];
  let left = MAX_RESIZED;
  for (let node = 0; node < after.size && left > 0; node++) {
    const old = matches.toBefore[node] ?? -1;
    if (old === -1 || after.styleIndex(node) === -1 || !isElsewhere(before.box(old), after.box(node)))
      continue;
    left--;
    const facts = { kind: "style", old, now: node, isSure: true, area: 0 } as const;
    for (const { property, before: was, after: is, file, rule, variable } of blame.declarationsFor(
      node,
      LAYOUT,
    ))
      if (!isCaptured(after, property))
        found.push({ ...facts, property, before: was, after: is, file, rule, variable });
    const [was, is] = [inlineStyle(before, old), inlineStyle(after, node)];
    for (const property of new Set([...was.keys(), ...is.keys()])) {
      if (!LAYOUT.has(property) || isCaptured(after, property) || was.get(property) === is.get(property))
        continue;
      const values = { before: was.get(property) ?? null, after: is.get(property) ?? null };
      found.push({ ...facts, property, ...values, ...NO_BLAME, file: blame.markup(), isComputed: true });
    }
  }
  return found;
}

function isCaptured({ capsule: { properties } }: PageTree, property: string): boolean {
  return properties.includes(property) || properties.includes(`${property}-top`);
}

function isElsewhere(old: Region, now: Region): boolean {
  const moved = Math.abs(old.x - now.x) + Math.abs(old.y - now.y);
  return moved + Math.abs(old.width - now.width) + Math.abs(old.height - now.height) >= 1;
}

function inlineStyle(tree: PageTree, node: number): Map<string, string> {
  const text = tree.attribute(node, "style");
  if (text === "") return new Map();
  return new Map(
    text.split(";").flatMap((part): [string, string][] => {
      const colon = part.indexOf(":");
      return colon === -1 ? [] : [[part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()]];
    }),
  );
}

/** Returns the changes without those that only follow from others. Without any other, they stay. */
export function withoutFollowing(changes: readonly Change[], hasOtherCauses: boolean): Change[] {
  const sure = changes.filter(({ isSure }) => isSure);
  if (sure.length === 0 && !hasOtherCauses) return [...changes];
  return changes.filter(({ isSure, property }) => isSure || !FOLLOWS_LAYOUT.test(property ?? ""));
}
