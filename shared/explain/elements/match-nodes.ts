import type { PageTree } from "./page-tree.ts";

/** Elements of two pages that are the same element. -1 where there is no counterpart. */
export interface Matches {
  toAfter: Int32Array;
  toBefore: Int32Array;
  /** Returns whether two elements and all that is in them have equal tags, texts and attributes. */
  isEqual(before: number, after: number): boolean;
}

const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];

/** Matches the elements of two pages in linear time: from the root down, equal parts first. */
export function matchNodes(before: PageTree, after: PageTree): Matches {
  const toAfter = new Int32Array(before.size).fill(-1);
  const toBefore = new Int32Array(after.size).fill(-1);
  const parts = new Map<string, number>();
  const partsBefore = partsOf(before, parts);
  const partsAfter = partsOf(after, parts);
  const isEqual = (a: number, b: number) => partsBefore[a] === partsAfter[b];
  const pairs: [readonly number[], readonly number[]][] = [[before.roots, after.roots]];
  const isFree = (a: number) => toAfter[a] === -1;
  const isOpen = (b: number) => toBefore[b] === -1;
  const match = (a: number, b: number) => {
    toAfter[a] = b;
    toBefore[b] = a;
    const [left = [], right = []] = [before.children[a], after.children[b]];
    if (left.length > 0 && right.length > 0) pairs.push([left, right]);
  };
  const keys: readonly Pick<MatchBy, "key" | "isSure">[] = [
    { key: (tree, node) => (tree === before ? partsBefore[node] : partsAfter[node]), isSure: true },
    { key: identityOf, isSure: true },
    { key: looksOf, isSure: true },
    { key: (tree, node) => tree.tag(node), isSure: false },
  ];
  const matchAll = () => {
    for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
      let [left, right] = matchEnds(pair[0].filter(isFree), pair[1].filter(isOpen), { isEqual, match });
      for (const { key, isSure } of keys) {
        if (left.length === 0 || right.length === 0) break;
        matchBy(left, right, { before, after, key, isSure, match });
        [left, right] = [left.filter(isFree), right.filter(isOpen)];
      }
    }
  };
  matchAll();
  // Parts that moved to another place of the page.
  const moved = new Map<number, number[]>();
  for (let b = after.size - 1; b >= 0; b--) {
    if (!isOpen(b) || !isDistinct(after, b)) continue;
    const part = partsAfter[b] ?? -1;
    const others = moved.get(part);
    if (others === undefined) moved.set(part, [b]);
    else others.push(b);
  }
  for (let a = 0; a < before.size && moved.size > 0; a++) {
    if (!isFree(a)) continue;
    // The last one comes first in the document.
    const candidates = moved.get(partsBefore[a] ?? -1);
    let b = candidates?.pop();
    while (b !== undefined && !isOpen(b)) b = candidates?.pop();
    if (b === undefined) continue;
    match(a, b);
    matchAll();
  }
  return { toAfter, toBefore, isEqual };
}

/**
 * Matches equal elements at the start and at the end of two lists. Most parts of a page are equal, and need no search.
 * Of elements that are equal to each other, this finds the right one.
 * @returns the others
 */
function matchEnds(
  left: number[],
  right: number[],
  { isEqual, match }: Pick<Matches, "isEqual"> & Pick<MatchBy, "match">,
): [left: number[], right: number[]] {
  const shorter = Math.min(left.length, right.length);
  const isSame = (a: number | undefined, b: number | undefined) =>
    a !== undefined && b !== undefined && isEqual(a, b);
  let start = 0;
  while (start < shorter && isSame(left[start], right[start])) start++;
  let end = 0;
  while (end < shorter - start && isSame(left.at(-1 - end), right.at(-1 - end))) end++;
  for (let at = 0; at < start; at++) match(left[at] ?? -1, right[at] ?? -1);
  for (let at = 1; at <= end; at++) match(left.at(-at) ?? -1, right.at(-at) ?? -1);
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)];
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
function matchBy(
  left: readonly number[],
  right: readonly number[],
  { before, after, key, isSure, match }: MatchBy,
): void {
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
