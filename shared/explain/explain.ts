import type { Capsule } from "../capture/capsule/capsule.ts";
import type { Region } from "../compare/comparison.ts";
import { type Cause, EXPLANATION_BOUNDS, type Explanation } from "../contracts/runs/explanation.ts";
import { findAccessibilityChanges } from "./accessibility.ts";
import { FileBlame } from "./blame-file.ts";
import { regionsInPage } from "./changed-areas.ts";
import { causeKey, type DraftCause } from "./draft-cause.ts";
import { findElementChanges } from "./elements/find-elements.ts";
import { type Matches, matchNodes } from "./elements/match-nodes.ts";
import { PageTree } from "./elements/page-tree.ts";
import { findChanges, withoutFollowing } from "./find-causes.ts";
import { findEffects, type LayoutCause } from "./find-effects.ts";
import { findRestyled } from "./find-restyled.ts";
import { type GroupedCause, groupCauses } from "./group-causes.ts";
import { compareFiles } from "./loaded-files.ts";
import { findPageCauses } from "./page-causes.ts";
import { CAUSE_TEXTS } from "./texts.ts";

const MAX_RESIZED_CAUSES = 3;

/**
 * Explains why an image differs from its baseline. It is a pure function of the capsules of both.
 * @param regions changed regions, px of the image. Without any, all changes of the page count
 */
export function explain(before: Capsule, after: Capsule, regions: readonly Region[]): Explanation {
  const [old, now] = [new PageTree(before), new PageTree(after)];
  const matches = matchNodes(old, now);
  const files = compareFiles(before, after);
  const comparison = {
    ...{ before: old, after: now, matches, blame: new FileBlame(files, now) },
    regions:
      regions.length === 0
        ? null
        : { before: regionsInPage(regions, before), after: regionsInPage(regions, after) },
  };
  const pageCauses = findPageCauses(before, after);
  const restyled = findRestyled(old, now, matches);
  const elements = findElementChanges(old, now, matches, files.changedImages);
  const failedFiles = new Set(pageCauses.flatMap(({ file }) => file?.url ?? []));
  const changes = withoutFollowing(findChanges(comparison, restyled, elements), pageCauses.length > 0).filter(
    ({ file }) => file === null || !failedFiles.has(file.url),
  );
  const groups = groupCauses(comparison, changes);
  const causes = [...pageCauses, ...groups];
  const drafts = causes.length > 0 ? causes : resizedCauses(old, now, matches);
  const ranked = drafts.toSorted(byRank);
  return {
    causes: ranked.slice(0, EXPLANATION_BOUNDS.causes).map(toCause),
    effects: findEffects(old, now, matches, layoutCauses(old, now, groups)),
    accessibility: findAccessibilityChanges(old, now, matches),
  };
}

function byRank(a: DraftCause, b: DraftCause): number {
  return Number(b.isPageWide) - Number(a.isPageWide) || isUnsure(a) - isUnsure(b) || b.area - a.area;
}

/** Returns whether a cause may follow from another one. */
function isUnsure(cause: DraftCause | GroupedCause): number {
  if (cause.kind !== "style" || !("changes" in cause)) return 0;
  return Number(cause.file === null || cause.changes.every(({ isComputed = false }) => isComputed));
}

function toCause({
  kind,
  key,
  text,
  selector,
  elements,
  property,
  before,
  after,
  file,
  rule,
}: DraftCause): Cause {
  const cut = (value: string | null) => value?.slice(0, EXPLANATION_BOUNDS.chars) ?? null;
  return {
    ...{ kind, key, text, selector: cut(selector), elements, property },
    ...{ before: cut(before), after: cut(after), file, rule: cut(rule) },
  };
}

function layoutCauses(before: PageTree, after: PageTree, groups: readonly GroupedCause[]): LayoutCause[] {
  return groups.flatMap(({ selector, rule, kind, changes }) =>
    changes.slice(0, EXPLANATION_BOUNDS.causes).flatMap(({ old, now, variable }) => {
      const was = old === -1 || kind === "shown" ? null : before.box(old);
      const is = now === -1 || kind === "hidden" ? null : after.box(now);
      // A color, for example, moves nothing.
      if (was !== null && is !== null && isSameBox(was, is)) return [];
      const name = (variable === null ? rule : null) ?? selector ?? "";
      return [{ name, kind, before: was, after: is }];
    }),
  );
}

function isSameBox(a: Region, b: Region): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Returns the innermost elements with another size, if nothing else tells why the image changed. */
function resizedCauses(before: PageTree, after: PageTree, { toBefore }: Matches): DraftCause[] {
  const isResized = (node: number) => {
    const old = toBefore[node] ?? -1;
    if (old === -1 || before.styleIndex(old) === -1 || after.styleIndex(node) === -1) return false;
    const [was, is] = [before.box(old), after.box(node)];
    return Math.abs(was.width - is.width) + Math.abs(was.height - is.height) >= 1;
  };
  const found: DraftCause[] = [];
  for (let node = 0; node < after.size && found.length < MAX_RESIZED_CAUSES; node++) {
    if (!isResized(node) || (after.children[node] ?? []).some(isResized)) continue;
    const [was, is] = [before.box(toBefore[node] ?? -1), after.box(node)];
    const size = ({ width, height }: Region) => `${Math.round(width)} × ${Math.round(height)} px`;
    const facts = {
      kind: "resized",
      selector: after.name(node),
      property: null,
      before: size(was),
      after: size(is),
    } as const;
    const cause = { ...facts, file: null, rule: null };
    const text = CAUSE_TEXTS.resized(cause.selector, cause.before, cause.after, 1);
    found.push({
      ...cause,
      key: causeKey(cause, after.capsule.url),
      text,
      elements: 1,
      isPageWide: false,
      area: is.width * is.height,
    });
  }
  return found;
}
