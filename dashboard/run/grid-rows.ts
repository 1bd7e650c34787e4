import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { FOLDED, type GroupName, groupScreenshots } from "../../shared/report/group-screenshots.ts";
import type { Tally } from "../../shared/report/tally.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { isUndecided } from "../review/decisions/decision.ts";

/** A card of the grid: one screenshot, or a folded group of identical changes. */
export interface Cell {
  shot: Screenshot;
  /** All screenshots of the card, the shown one first. */
  stack: readonly Screenshot[];
  /** Key of the group, for unfolding. */
  key: string;
  isUnfolded: boolean;
}

/** A row of the grid, as high as its highest card. */
export type GridRow =
  | {
      kind: "heading";
      key: string;
      name: GroupName;
      count: number;
      isFolded: boolean;
      /** Those that the reader may still decide on. */
      open: readonly Screenshot[];
    }
  | { kind: "cells"; key: string; cells: Cell[] };

/** Returns whether a group starts folded. Here, decided ones do too. */
const isFoldedAtFirst = (name: GroupName): boolean => FOLDED.has(name) || name === "reviewed";

/**
 * Returns the grid's rows from top to bottom.
 * @param toggled keys of groups that differ from their initial state, and of unfolded stacks
 * @param isNarrowed whether the reader filters by status: then no group starts folded
 */
export function gridRows(
  shots: readonly Screenshot[],
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

function cellsOf(stack: readonly Screenshot[], group: GroupName, toggled: ReadonlySet<string>): Cell[] {
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

/** Returns the screenshots to show. Removed pages are a result, so they are shown once the run has ended. */
export function shownScreenshots(
  shots: readonly Screenshot[],
  status: RunView["status"],
): readonly Screenshot[] {
  return isEnded(status) ? shots : shots.filter(shot => shot.status !== "removed");
}

/** Returns the tally of the screenshots to show. */
export function tallySoFar(tally: Tally, status: RunView["status"]): Tally {
  if (isEnded(status)) return tally;
  const { removed: _, ...standings } = tally.standings;
  return { ...tally, standings };
}
