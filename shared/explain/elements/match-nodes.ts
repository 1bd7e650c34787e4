import type { PageTree } from "./page-tree.ts";

/** Elements of two pages that are the same element. -1 where there is no counterpart. */
export interface Matches {
  toAfter: Int32Array;
  toBefore: Int32Array;
}

const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];

/** Matches the elements of two pages in linear time: from the root down, equal parts first. */
export function matchNodes(before: PageTree, after: PageTree): Matches {
  const toAfter = new Int32Array(before.size).fill(-1);
  const toBefore = new Int32Array(after.size).fill(-1);
  const parts = new Map<string, number>();
  const partsBefore = partsOf(before, parts);
  const partsAfter = partsOf(after, parts);
  const pairs: [number[], number[]][] = [[before.roots, after.roots]];
  const match = (a: number, b: number) => {
    toAfter[a] = b;
    toBefore[b] = a;
    pairs.push([before.children[a] ?? [], after.children[b] ?? []]);
  };
  const matchAll = () => {
    for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
      const isFree = (a: number) => toAfter[a] === -1;
      const isOpen = (b: number) => toBefore[b] === -1;
      let [left, right] = [pair[0].filter(isFree), pair[1].filter(isOpen)];
      for (const key of [
        {
          of: (tree: PageTree, node: number) => (tree === before ? partsBefore[node] : partsAfter[node]),
          isSure: true,
        },
        { of: identityOf, isSure: true },
        { of: looksOf, isSure: true },
        { of: (tree: PageTree, node: number) => tree.tag(node), isSure: false },
      ]) {
        if (left.length === 0 || right.length === 0) break;
        matchBy(left, right, { before, after, key: key.of, isSure: key.isSure, match });
        [left, right] = [left.filter(isFree), right.filter(isOpen)];
      }
    }
  };
  matchAll();
  // Parts that moved to another place of the page.
  const moved = new Map<number, number[]>();
  for (let b = 0; b < after.size; b++) {
    const part = partsAfter[b] ?? -1;
    if (toBefore[b] === -1 && isDistinct(after, b)) moved.set(part, [...(moved.get(part) ?? []), b]);
  }
  for (let a = 0; a < before.size && moved.size > 0; a++) {
    if (toAfter[a] !== -1) continue;
    const b = moved.get(partsBefore[a] ?? -1)?.find(node => toBefore[node] === -1);
    if (b === undefined) continue;
    match(a, b);
    matchAll();
  }
  return { toAfter, toBefore };
}

interface MatchBy {
  before: PageTree;
  after: PageTree;
  key(tree: PageTree, node: number): string | number | undefined;
  /** Whether an equal key is enough. Otherwise there must be equally many elements with it. */
  isSure: boolean;
  match(before: number, after: number): void;
}

/** Matches elements with equal keys, in their order. */
function matchBy(left: number[], right: number[], { before, after, key, isSure, match }: MatchBy): void {
  const keyed = Map.groupBy(right, node => key(after, node));
  const counts = isSure ? null : Map.groupBy(left, node => key(before, node));
  const used = new Map<string | number, number>();
  for (const a of left) {
    const own = key(before, a);
    const candidates = own === undefined ? undefined : keyed.get(own);
    if (own === undefined || candidates === undefined) continue;
    if (counts !== null && counts.get(own)?.length !== candidates.length) continue;
    const at = used.get(own) ?? 0;
    used.set(own, at + 1);
    const b = candidates[at];
    if (b !== undefined) match(a, b);
  }
}

function identityOf(tree: PageTree, node: number): string | undefined {
  const id = tree.attribute(node, "id");
  if (id !== "") return `${tree.tag(node)}#${id}`;
  for (const name of TEST_IDS) {
    const value = tree.attribute(node, name);
    if (value !== "") return `${tree.tag(node)} ${name} ${value}`;
  }
  return undefined;
}

function looksOf(tree: PageTree, node: number): string {
  return `${tree.tag(node)}.${tree.attribute(node, "class")}`;
}

/** Returns whether an element is distinct enough to be found anywhere in the page. */
function isDistinct(tree: PageTree, node: number): boolean {
  return (
    tree.text(node).length > 2 || tree.attribute(node, "id") !== "" || (tree.children[node]?.length ?? 0) > 0
  );
}

/**
 * Returns a number for each element. Equal numbers mean equal elements with equal contents, as far as a hash of 53 bits
 * tells. Strings take too long for large pages.
 */
function partsOf({ capsule, children, size }: PageTree, known: Map<string, number>): Float64Array {
  const { nodes } = capsule;
  const ids = capsule.strings.map(text => {
    const id = known.get(text) ?? known.size;
    known.set(text, id);
    return id;
  });
  const parts = new Float64Array(size);
  for (let node = size - 1; node >= 0; node--) {
    let [high, low] = [17, 31];
    const mix = (value: number) => {
      high = Math.imul(high ^ value, 0x85ebca6b) ^ (high >>> 13);
      low = Math.imul(low ^ value, 0xc2b2ae35) ^ (low >>> 16);
    };
    mix(ids[nodes.tag[node] ?? -1] ?? -1);
    mix(ids[nodes.text[node] ?? -1] ?? -1);
    for (const index of nodes.attributes[node] ?? []) mix(ids[index] ?? -1);
    for (const child of children[node] ?? []) {
      const part = parts[child] ?? 0;
      mix(part | 0);
      mix((part / 2 ** 32) | 0);
    }
    parts[node] = (high >>> 0) * 2 ** 21 + (low >>> 11);
  }
  return parts;
}
