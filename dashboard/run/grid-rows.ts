import { FOLDED, type GroupName, groupScreenshots } from "../../shared/report/group-screenshots.ts";
import type { Shot } from "../api/shot.ts";
import { isUndecided } from "../review/decisions/decision.ts";

/** A card of the grid: one screenshot, or equal changes folded into one. */
export interface Cell {
  shot: Shot;
  /** All that the card stands for, itself at first. */
  stack: readonly Shot[];
  /** Names the stack, to fold it out by. */
  key: string;
  isUnfolded: boolean;
}

/** One row of the grid, as high as its highest card. */
export type GridRow =
  | {
      kind: "heading";
      key: string;
      name: GroupName;
      count: number;
      isFolded: boolean;
      /** Those that the reader may still decide on. */
      open: readonly Shot[];
    }
  | { kind: "cells"; key: string; cells: Cell[] };

/** Returns whether a group is folded until a reader opens it: here what was decided too. */
const isFoldedAtFirst = (name: GroupName): boolean => FOLDED.has(name) || name === "reviewed";

/**
 * The grid's rows from top to bottom.
 * @param toggled groups that are not folded as they are at first, and stacks that are unfolded, by their keys
 * @param isNarrowed whether the reader asked for one status: what was asked for is not folded at first
 */
export function gridRows(
  shots: readonly Shot[],
  columns: number,
  toggled: ReadonlySet<string>,
  isNarrowed = false,
): GridRow[] {
  return groupScreenshots(shots).flatMap(({ name, stacks }): GridRow[] => {
    const key = isNarrowed ? `narrowed ${name}` : name;
    const isFolded = (!isNarrowed && isFoldedAtFirst(name)) !== toggled.has(key);
    const members = stacks.flat();
    const open = members.filter(isUndecided);
    const heading = { kind: "heading", key, name, count: members.length, isFolded, open } as const;
    if (isFolded) return [heading];
    const cells = stacks.flatMap(stack => cellsOf(stack, name, toggled));
    return [heading, ...inRows(cells, columns, name)];
  });
}

function cellsOf(stack: readonly Shot[], group: GroupName, toggled: ReadonlySet<string>): Cell[] {
  const [first, ...others] = stack;
  if (!first) return [];
  const key = `${group} ${first.id}`;
  const isUnfolded = toggled.has(key);
  const lead = { shot: first, stack, key, isUnfolded };
  const alone = others.map(shot => ({ shot, stack: [shot], key: `${group} ${shot.id}`, isUnfolded: false }));
  return isUnfolded ? [lead, ...alone] : [lead];
}

function inRows(cells: Cell[], columns: number, group: GroupName): GridRow[] {
  const rows: GridRow[] = [];
  for (let at = 0; at < cells.length; at += columns)
    rows.push({ kind: "cells", key: `${group} ${at}`, cells: cells.slice(at, at + columns) });
  return rows;
}
