import type { Region } from "../compare/comparison.ts";
import type { Matches } from "./elements/match-nodes.ts";
import type { PageTree } from "./elements/page-tree.ts";
import { EFFECT_TEXTS } from "./texts.ts";

/** An element whose change can move others. */
export interface LayoutCause {
  name: string;
  kind: string;
  /** Null for an added or removed element. */
  before: Region | null;
  after: Region | null;
}

interface Move {
  dx: number;
  dy: number;
  /** The topmost of the moved elements. */
  top: number;
  elements: number;
}

/** Smaller moves are rounding. */
const MIN_MOVE_PX = 1;
const MAX_EFFECTS = 3;
/** Their boxes move with the margins of what they contain. */
const UNNAMED = new Set(["html", "body"]);

/** Describes which elements moved because of others. Elements that move with their parents count once. */
export function findEffects(
  before: PageTree,
  after: PageTree,
  { toBefore }: Matches,
  causes: readonly LayoutCause[],
): string[] {
  const moves = new Map<string, Move>();
  const moveOf = (node: number) => {
    const earlier = toBefore[node] ?? -1;
    if (earlier === -1 || before.styleIndex(earlier) === -1 || after.styleIndex(node) === -1) return null;
    const [old, now] = [before.box(earlier), after.box(node)];
    return { dx: Math.round(now.x - old.x), dy: Math.round(now.y - old.y), y: old.y };
  };
  for (let node = 0; node < after.size; node++) {
    const move = moveOf(node);
    if (move === null || UNNAMED.has(after.tag(node)) || Math.abs(move.dx) + Math.abs(move.dy) < MIN_MOVE_PX)
      continue;
    const parent = moveOf(after.parent(node));
    if (parent !== null && parent.dx === move.dx && parent.dy === move.dy) continue;
    const key = `${move.dx} ${move.dy}`;
    const known = moves.get(key) ?? { dx: move.dx, dy: move.dy, top: move.y, elements: 0 };
    moves.set(key, { ...known, top: Math.min(known.top, move.y), elements: known.elements + 1 });
  }
  const largest = [...moves.values()].sort(
    (a, b) => b.elements - a.elements || Math.abs(b.dy) - Math.abs(a.dy),
  );
  return largest
    .slice(0, MAX_EFFECTS)
    .map(move => EFFECT_TEXTS.moved(move.elements, distanceOf(move), becauseOf(move, causes)));
}

function distanceOf({ dx, dy }: Move): string {
  const { down, up, right, left, both } = EFFECT_TEXTS;
  const vertical = dy > 0 ? down(dy) : up(-dy);
  const horizontal = dx > 0 ? right(dx) : left(-dx);
  if (dx === 0) return vertical;
  return dy === 0 ? horizontal : both(vertical, horizontal);
}

/** Returns the cause whose growth fits the move best. */
function becauseOf({ dx, dy, top }: Move, causes: readonly LayoutCause[]): string | null {
  const fitting = causes.filter(({ before, after }) => {
    const start = Math.min(before?.y ?? Infinity, after?.y ?? Infinity);
    return dy === 0 || start <= top + Math.max(0, dy);
  });
  const missOf = ({ before, after }: LayoutCause) => {
    const [grown, widened] = [
      (after?.height ?? 0) - (before?.height ?? 0),
      (after?.width ?? 0) - (before?.width ?? 0),
    ];
    return dy === 0 ? Math.abs(widened - dx) : Math.abs(grown - dy);
  };
  const [best] = fitting.toSorted((a, b) => missOf(a) - missOf(b));
  if (best === undefined) return null;
  const { wasAdded, wasRemoved, changed } = EFFECT_TEXTS;
  if (best.kind === "added" || best.kind === "shown") return wasAdded(best.name);
  return best.kind === "removed" || best.kind === "hidden" ? wasRemoved(best.name) : changed(best.name);
}
