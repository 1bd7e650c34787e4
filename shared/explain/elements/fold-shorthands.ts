import type { Restyled } from "../find-restyled.ts";

/** Longhands of one shorthand, which changed together. The first that fits completely counts. */
const SHORTHANDS: readonly [name: string, longhands: readonly string[]][] = [
  ...["padding", "margin"].flatMap((name): [string, string[]][] => [
    [name, sides(name)],
    [`${name}-block`, [`${name}-top`, `${name}-bottom`]],
    [`${name}-inline`, [`${name}-left`, `${name}-right`]],
  ]),
  ...["width", "style", "color"].map((part): [string, string[]] => [
    `border-${part}`,
    sides("border", `-${part}`),
  ]),
  [
    "border-radius",
    ["top-left", "top-right", "bottom-right", "bottom-left"].map(corner => `border-${corner}-radius`),
  ],
  ["gap", ["row-gap", "column-gap"]],
  ["overflow", ["overflow-x", "overflow-y"]],
];

function sides(name: string, suffix = ""): string[] {
  return ["top", "right", "bottom", "left"].map(side => `${name}-${side}${suffix}`);
}

/** Joins the changes of one element whose longhands changed alike, such as `padding-top` and its siblings. */
export function foldShorthands(changes: readonly Restyled[]): Restyled[] {
  const left = new Map(changes.map(change => [change.property, change]));
  const folded: Restyled[] = [];
  for (const [name, longhands] of SHORTHANDS) {
    const [first, ...others] = longhands.map(longhand => left.get(longhand));
    if (first === undefined) continue;
    const isAlike = others.every(other => other?.before === first.before && other.after === first.after);
    if (!isAlike) continue;
    folded.push({ ...first, property: name });
    for (const longhand of longhands) left.delete(longhand);
  }
  return [...folded, ...left.values()];
}
