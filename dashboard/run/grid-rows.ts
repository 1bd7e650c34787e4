import { type GroupName, groupScreenshots } from "../../shared/report/group-screenshots.ts";
import { withinThreshold } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { isOpen } from "../review/decision.ts";

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
      /** How many differ all the same, after their number; empty when none does. */
      within: string;
      isFolded: boolean;
      open: readonly Shot[];
    }
  | { kind: "cells"; key: string; cells: Cell[] };

/** What is folded unless somebody unfolds it. */
const FOLDED: readonly GroupName[] = ["unchanged", "reviewed"];

/**
 * The grid's rows from top to bottom.
 * @param toggled groups that are not folded as they are at first, and stacks that are unfolded, by their keys
 */
export function gridRows(shots: readonly Shot[], columns: number, toggled: ReadonlySet<string>): GridRow[] {
  return groupScreenshots(shots).flatMap(({ name, stacks }): GridRow[] => {
    const isFolded = FOLDED.includes(name) !== toggled.has(name);
    const members = stacks.flat();
    const open = members.filter(isOpen);
    const within = name === "unchanged" ? withinThreshold(members) : "";
    const heading = {
      kind: "heading",
      key: name,
      name,
      count: members.length,
      within,
      isFolded,
      open,
    } as const;
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
